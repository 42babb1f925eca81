/** Everything there is of a cell's value, over the grid at its place, to be read and copied. */
import { Button, CopyButton, Group, Popover, Text } from "@mantine/core";
import styles from "./Grid.module.css";
import { type GridColumn, whole } from "./values";

interface Props {
  column: GridColumn;
  value: unknown;
  place: { top: number; left: number; width: number; height: number };
  onClose: () => void;
}

export function Whole({ column, value, place, onClose }: Props) {
  const text = whole(value, true);
  return (
    <Popover
      opened
      onChange={onClose}
      onDismiss={onClose}
      width={420}
      withArrow
      shadow="md"
      trapFocus
      withRoles={false}
    >
      <Popover.Target>
        <div className={styles.anchor} style={place} />
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={`Whole value of ${column.name}`}>
        <Group justify="space-between" mb="xs" wrap="nowrap">
          <Text size="xs" c="dimmed" truncate>
            {column.name} · {column.type}
          </Text>
          <CopyButton value={text}>
            {({ copied, copy }) => (
              <Button size="compact-xs" variant="default" onClick={copy} data-autofocus>
                {copied ? "Copied" : "Copy"}
              </Button>
            )}
          </CopyButton>
        </Group>
        <pre className={styles.whole}>{text}</pre>
      </Popover.Dropdown>
    </Popover>
  );
}
