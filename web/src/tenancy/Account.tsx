/** One's own account: name and time zone, password, where one is signed in, and tokens for programs. */
import { Tabs } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { Page } from "../components/Page";
import { Password } from "./account/Password";
import { Profile } from "./account/Profile";
import { Sessions } from "./account/Sessions";
import { Tokens } from "./account/Tokens";

const route = getRouteApi("/inside/account");

export function Account() {
  const { part = "profile" } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Page title="Your account">
      <Tabs
        value={part}
        onChange={(value) => navigate({ search: { part: (value ?? undefined) as typeof part }, replace: true })}
        keepMounted={false}
      >
        <Tabs.List mb="lg">
          <Tabs.Tab value="profile">Profile</Tabs.Tab>
          <Tabs.Tab value="password">Password</Tabs.Tab>
          <Tabs.Tab value="sessions">Sessions</Tabs.Tab>
          <Tabs.Tab value="tokens">API tokens</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="profile">
          <Profile />
        </Tabs.Panel>
        <Tabs.Panel value="password">
          <Password />
        </Tabs.Panel>
        <Tabs.Panel value="sessions">
          <Sessions />
        </Tabs.Panel>
        <Tabs.Panel value="tokens">
          <Tokens />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
