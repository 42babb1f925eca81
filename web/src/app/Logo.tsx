/** The mark: a plot of land, parted into areas, that reads as a B. */
import { Group, Text } from "@mantine/core";

export function Logo({ size = 26, named = true }: { size?: number; named?: boolean }) {
  return (
    <Group gap={10} wrap="nowrap">
      <img src="/logo.svg" width={size} height={size} alt={named ? "" : "Bailiwick"} />
      {named && (
        <Text fw={680} size="lg" lh={1}>
          Bailiwick
        </Text>
      )}
    </Group>
  );
}
