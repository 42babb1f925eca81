/** The frame around every page: where one can go, who one is, and the palette. */
import {
  ActionIcon,
  AppShell,
  Avatar,
  Badge,
  Burger,
  Group,
  Menu,
  ScrollArea,
  Text,
  Tooltip,
  UnstyledButton,
  useMantineColorScheme,
} from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconLogout, IconMoon, IconSearch, IconSun, IconUser } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, Outlet, useLocation, useNavigate } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { api } from "../api/client";
import { PlaceLink, TextLink } from "../components/links";
import { waitingForMeQuery } from "../requests/waiting";
import { leave, type Me, useMe } from "../tenancy/session";
import { ViewAsDialog, ViewAsItem } from "../tenancy/ViewAs";
import { BANNER_HEIGHT, ViewingBanner } from "../tenancy/ViewingBanner";
import { viewing } from "../tenancy/viewing";
import { Logo } from "./Logo";
import { Palette } from "./Palette";
import { palette } from "./paletteStore";
import { placeOf, placesFor } from "./places";
import { MOD, Shortcuts } from "./Shortcuts";

export function Shell() {
  const me = useMe();
  const [opened, { toggle, close }] = useDisclosure();
  const { pathname } = useLocation();
  const places = placesFor(me);
  const here = placeOf(places, pathname);
  const parts = [...new Set(places.map((place) => place.under))];
  return (
    <AppShell
      header={{ height: viewing() ? BANNER_HEIGHT + 56 : 56 }}
      navbar={{ width: 232, breakpoint: "md", collapsed: { mobile: !opened } }}
      padding="lg"
    >
      <AppShell.Header px="md">
        <ViewingBanner />
        <Group h={55} justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger opened={opened} onClick={toggle} hiddenFrom="md" size="sm" aria-label="Menu" />
            <UnstyledButton component={Link} to="/" aria-label="Bailiwick, home">
              <Logo />
            </UnstyledButton>
            <Text c="dimmed" size="sm" visibleFrom="sm">
              {me.tenant.name}
            </Text>
          </Group>
          <Group gap="xs" wrap="nowrap">
            <TextLink to="/account" size="xs" c="dimmed" mr="xs" visibleFrom="sm">
              Times are in {me.time_zone}
            </TextLink>
            <Tooltip label={`Go anywhere (${MOD} K)`}>
              <ActionIcon variant="subtle" color="gray" size="lg" onClick={palette.open} aria-label="Search">
                <IconSearch size={18} />
              </ActionIcon>
            </Tooltip>
            <LightOrDark />
            <Person me={me} />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="sm" component="nav" aria-label="Pages">
        <AppShell.Section grow component={ScrollArea}>
          {parts.map((part) => (
            <div key={part}>
              {part && (
                <Text size="xs" fw={600} c="dimmed" px="sm" pt="sm" pb={2}>
                  {part}
                </Text>
              )}
              {places
                .filter((place) => place.under === part)
                .map((place) => (
                  <PlaceLink
                    key={place.to}
                    ref={place === here ? intoView : undefined}
                    py={2}
                    to={place.to}
                    label={place.name}
                    leftSection={<place.icon size={18} stroke={1.6} />}
                    rightSection={place.to === "/requests" && <WaitingForMe />}
                    active={place === here}
                    onClick={close}
                  />
                ))}
            </div>
          ))}
        </AppShell.Section>
      </AppShell.Navbar>
      <AppShell.Main>
        <Outlet />
      </AppShell.Main>
      <Palette places={places} />
      <Shortcuts />
    </AppShell>
  );
}

/** However low the screen, where one is can be seen among the places; nothing else moves. */
function intoView(link: HTMLElement | null): void {
  link?.scrollIntoView({ block: "nearest" });
}

function WaitingForMe() {
  const waiting = useQuery(waitingForMeQuery).data;
  if (!waiting?.count) return null;
  const count = `${waiting.count}${waiting.more ? "+" : ""}`;
  return (
    <Badge size="sm" circle={count.length === 1} aria-label={`${count} wait for your decision`}>
      {count}
    </Badge>
  );
}

function LightOrDark() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const dark =
    colorScheme === "dark" || (colorScheme === "auto" && window.matchMedia("(prefers-color-scheme: dark)").matches);
  return (
    <Tooltip label={dark ? "Light" : "Dark"}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        onClick={() => setColorScheme(dark ? "light" : "dark")}
        aria-label={dark ? "Use light colours" : "Use dark colours"}
      >
        {dark ? <IconSun size={18} /> : <IconMoon size={18} />}
      </ActionIcon>
    </Tooltip>
  );
}

function Person({ me }: { me: Me }) {
  const navigate = useNavigate();
  const signOut = async () => {
    await api.DELETE("/api/v1/session");
    leave();
  };
  const [viewingAs, setViewingAs] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const beginViewing = () => {
    opener.current?.focus(); // where the dialog gives the focus back to
    setViewingAs(true);
  };
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <UnstyledButton ref={opener} aria-label={`${me.name}: account`}>
          <Avatar name={me.name} color="petrol" size={34} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {me.name}
          <br />
          {me.email}
        </Menu.Label>
        <Menu.Item leftSection={<IconUser size={16} />} onClick={() => navigate({ to: "/account" })}>
          Your account
        </Menu.Item>
        <ViewAsItem onOpen={beginViewing} />
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={signOut}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
      <ViewAsDialog opened={viewingAs} onClose={() => setViewingAs(false)} />
    </Menu>
  );
}
