/** A page's head: what it is, in a line what it is for, and what can be done here. */
import { Group, Stack, Text, Title } from "@mantine/core";
import { type ReactNode, useEffect } from "react";

interface Props {
  title: string;
  about?: string;
  actions?: ReactNode;
  children: ReactNode;
}

export function Page({ title, about, actions, children }: Props) {
  useEffect(() => {
    document.title = `${title} · Bailiwick`;
  }, [title]);
  return (
    <Stack gap="lg" maw={1280}>
      <Group justify="space-between" align="flex-end">
        <div style={{ flex: "1 1 20rem" }}>
          <Title order={1} size="h2">
            {title}
          </Title>
          {about && <Text c="dimmed">{about}</Text>}
        </div>
        {actions}
      </Group>
      {children}
    </Stack>
  );
}
