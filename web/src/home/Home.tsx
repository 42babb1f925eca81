/** Home: who one is here, and where to go. */
import { Card, SimpleGrid, Text } from "@mantine/core";
import { TextLink } from "../components/links";
import { Page } from "../components/Page";
import { mayInTenant, useMe } from "../tenancy/session";

export function Home() {
  const me = useMe();
  return (
    <Page title={`Hello, ${me.name.split(" ")[0]}`} about={`${me.tenant.name} · your tenant role: ${me.tenant_role}`}>
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
        <Way to="/tables" title="Look at the data">
          The tables you may see, with what their fields mean and the level you have on them.
        </Way>
        <Way to="/layers" title="Layers">
          Where data lies, from as it came to as it is served.
        </Way>
        {mayInTenant(me, "see_members") && (
          <Way to="/members" title="People">
            Who is here, and with which roles.
          </Way>
        )}
      </SimpleGrid>
    </Page>
  );
}

function Way({ to, title, children }: { to: "/tables" | "/layers" | "/members"; title: string; children: string }) {
  return (
    <Card withBorder padding="lg">
      <TextLink to={to} fw={600}>
        {title}
      </TextLink>
      <Text size="sm" c="dimmed">
        {children}
      </Text>
    </Card>
  );
}
