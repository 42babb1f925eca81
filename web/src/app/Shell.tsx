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
import { spotlight } from "@mantine/spotlight";
import { IconLogout, IconMoon, IconSearch, IconSun, IconUser } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, Outlet, useLocation, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "../api/client";
import { PlaceLink } from "../components/links";
import { waitingForMeQuery } from "../requests/waiting";
import { type Me, startAnew, useMe } from "../tenancy/session";
import { ViewAsDialog, ViewAsItem } from "../tenancy/ViewAs";
import { BANNER_HEIGHT, ViewingBanner } from "../tenancy/ViewingBanner";
import { viewing } from "../tenancy/viewing";
import { Logo } from "./Logo";
import { Palette } from "./Palette";
import { placesFor } from "./places";

export function Shell() {
  const me = useMe();
  const [opened, { toggle, close }] = useDisclosure();
  const { pathname } = useLocation();
  const places = placesFor(me);
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
            <Tooltip label="Go anywhere (Ctrl K)">
              <ActionIcon variant="subtle" color="gray" size="lg" onClick={spotlight.open} aria-label="Search">
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
                    py={2}
                    to={place.to}
                    label={place.name}
                    leftSection={<place.icon size={18} stroke={1.6} />}
                    rightSection={place.to === "/requests" && <WaitingForMe />}
                    active={place.to === "/" ? pathname === "/" : pathname.startsWith(place.to)}
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
    </AppShell>
  );
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
    startAnew(false);
    await navigate({ to: "/sign-in" });
  };
  const [viewingAs, setViewingAs] = useState(false);
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <UnstyledButton aria-label={`${me.name}: account`}>
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
        <ViewAsItem onOpen={() => setViewingAs(true)} />
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={signOut}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
      <ViewAsDialog opened={viewingAs} onClose={() => setViewingAs(false)} />
    </Menu>
  );
}
