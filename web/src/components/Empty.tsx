/** Where there is nothing yet: what would be here, and how it gets here. */
import { Stack, Text, ThemeIcon } from "@mantine/core";
import type { IconHome } from "@tabler/icons-react";
import type { ReactNode } from "react";

export function Empty({ icon: Icon, title, children }: { icon: typeof IconHome; title: string; children?: ReactNode }) {
  return (
    <Stack align="center" gap="xs" maw={420} ta="center">
      <ThemeIcon variant="light" size={44} radius="xl">
        <Icon size={22} stroke={1.6} />
      </ThemeIcon>
      <Text fw={600}>{title}</Text>
      <Text size="sm" c="dimmed">
        {children}
      </Text>
    </Stack>
  );
}
