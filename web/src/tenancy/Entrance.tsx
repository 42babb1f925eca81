/** The sheet of paper in front of the door: signing in, joining, setting a password. */
import { Center, Paper, Stack, Text, Title } from "@mantine/core";
import { type ReactNode, useEffect } from "react";
import { Logo } from "../app/Logo";

export function Entrance({ title, about, children }: { title: string; about?: string; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Bailiwick`;
  }, [title]);
  return (
    <Center component="main" mih="100vh" p="md">
      <Stack w="100%" maw={400} gap="lg">
        <Center>
          <Logo size={34} />
        </Center>
        <Paper withBorder p="xl" radius="lg" shadow="xs">
          <Stack>
            <div>
              <Title order={1} size="h3">
                {title}
              </Title>
              {about && (
                <Text c="dimmed" size="sm">
                  {about}
                </Text>
              )}
            </div>
            {children}
          </Stack>
        </Paper>
      </Stack>
    </Center>
  );
}
