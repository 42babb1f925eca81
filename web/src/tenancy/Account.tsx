/** One's own account: name and time zone, password, where one is signed in, and tokens for programs. */
import { Text } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { Page } from "../components/Page";
import { Parts } from "../components/Parts";
import { Password } from "./account/Password";
import { Profile } from "./account/Profile";
import { Sessions } from "./account/Sessions";
import { Tokens } from "./account/Tokens";
import { viewing } from "./viewing";

const route = getRouteApi("/inside/account");

const PARTS = [
  { name: "profile", label: "Profile", show: () => <Profile /> },
  { name: "password", label: "Password", show: () => <Password /> },
  { name: "sessions", label: "Sessions", show: () => <Sessions /> },
  { name: "tokens", label: "API tokens", show: () => <Tokens /> },
] as const;

export function Account() {
  const { part } = route.useSearch();
  const navigate = route.useNavigate();
  const viewed = viewing();
  if (viewed) {
    return (
      <Page title="Account">
        <Text c="dimmed">
          Password, sessions and tokens are {viewed.name}'s alone, and are not shown while you see what they see.
        </Text>
      </Page>
    );
  }
  return (
    <Page title="Your account">
      <Parts parts={PARTS} shown={part} onShow={(name) => navigate({ search: { part: name } })} />
    </Page>
  );
}
