/** Home: what one is in, what waits for one, and what happened lately. */
import { SimpleGrid, Stack } from "@mantine/core";
import { Page } from "../components/Page";
import { useMe } from "../tenancy/session";
import { FirstSteps } from "./FirstSteps";
import { Lately } from "./Lately";
import { Reach } from "./Reach";
import { Waiting } from "./Waiting";

export function Home() {
  const me = useMe();
  const role = me.tenant_role === "none" ? "no role in the tenant" : `tenant role ${me.tenant_role}`;
  return (
    <Page title={`Hello, ${me.name.split(" ")[0]}`} about={[me.tenant.name, role, ...me.security_roles].join(" · ")}>
      <FirstSteps />
      <Waiting />
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg" verticalSpacing="lg">
        <Stack gap="lg">
          <Reach />
        </Stack>
        <Stack gap="lg">
          <Lately />
        </Stack>
      </SimpleGrid>
    </Page>
  );
}
