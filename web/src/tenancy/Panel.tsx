/** A sheet on a page with a heading of its own. */
import { Group, Paper, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";

interface Props {
  title: string;
  about?: string;
  actions?: ReactNode;
  children: ReactNode;
}

export function Panel({ title, about, actions, children }: Props) {
  return (
    <Paper withBorder p="lg" component="section" aria-label={title}>
      <Stack>
        <Group justify="space-between" align="flex-start" wrap="nowrap">
          <div>
            <Title order={2} size="h4">
              {title}
            </Title>
            {about && (
              <Text size="sm" c="dimmed">
                {about}
              </Text>
            )}
          </div>
          {actions}
        </Group>
        {children}
      </Stack>
    </Paper>
  );
}
