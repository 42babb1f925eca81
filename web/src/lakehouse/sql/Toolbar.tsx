/** Over the editor: what is open, and what to do with it. */
import { ActionIcon, Badge, Button, Group, Kbd, Menu, Text, Tooltip } from "@mantine/core";
import {
  IconArrowBackUp,
  IconCopyPlus,
  IconDeviceFloppy,
  IconDots,
  IconEdit,
  IconPlayerPlay,
  IconPlus,
  IconTrash,
} from "@tabler/icons-react";
import type { SavedQuery } from "./asking";
import type { Saving } from "./saving/useSaving";

/** Red, and legible on both grounds. */
const LOSING = "light-dark(var(--mantine-color-red-9), var(--mantine-color-red-4))";

interface Props {
  query: SavedQuery | undefined;
  isChanged: boolean;
  isEmpty: boolean;
  isStarting: boolean;
  saving: Saving;
  onRun: () => void;
  onNew: () => void;
  onUndo: () => void;
}

export function Toolbar({ query, isChanged, isEmpty, isStarting, saving, onRun, onNew, onUndo }: Props) {
  return (
    <Group justify="space-between" px="sm" py={8} gap="sm">
      <Group gap="xs" wrap="nowrap" miw={0}>
        <Text fw={600} truncate maw={320}>
          {query?.name ?? "New query"}
        </Text>
        {query?.shared && (
          <Badge variant="light" tt="none">
            shared{query.actions.includes("edit") ? "" : ` by ${query.author.name}`}
          </Badge>
        )}
        {query && isChanged && (
          <Badge variant="outline" color="gray" tt="none">
            not saved
          </Badge>
        )}
      </Group>
      <Group gap="xs" wrap="nowrap">
        <Tooltip label="New query">
          <ActionIcon variant="default" size={34} onClick={onNew} aria-label="New query">
            <IconPlus size={17} />
          </ActionIcon>
        </Tooltip>
        <Button
          variant="default"
          size="sm"
          leftSection={<IconDeviceFloppy size={17} />}
          disabled={isEmpty || (query !== undefined && !isChanged && query.actions.includes("edit"))}
          loading={saving.isPending}
          onClick={saving.save}
        >
          Save
        </Button>
        {query && <More query={query} isChanged={isChanged} saving={saving} onUndo={onUndo} />}
        <Tooltip
          label={
            <>
              Runs what is selected, or everything <Kbd size="xs">Ctrl</Kbd> <Kbd size="xs">Enter</Kbd>
            </>
          }
        >
          <Button
            size="sm"
            leftSection={<IconPlayerPlay size={17} />}
            disabled={isEmpty}
            loading={isStarting}
            onClick={onRun}
          >
            Run
          </Button>
        </Tooltip>
      </Group>
    </Group>
  );
}

function More({
  query,
  isChanged,
  saving,
  onUndo,
}: Pick<Props, "isChanged" | "saving" | "onUndo"> & { query: SavedQuery }) {
  return (
    <Menu position="bottom-end" width={230}>
      <Menu.Target>
        <ActionIcon variant="default" size={34} aria-label={`More about ${query.name}`}>
          <IconDots size={17} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {query.actions.includes("edit") && (
          <Menu.Item leftSection={<IconEdit size={16} />} onClick={saving.change}>
            Rename, describe, share
          </Menu.Item>
        )}
        <Menu.Item leftSection={<IconCopyPlus size={16} />} onClick={saving.saveAnew}>
          Save as another one
        </Menu.Item>
        {isChanged && (
          <Menu.Item leftSection={<IconArrowBackUp size={16} />} onClick={onUndo}>
            Back to what is saved
          </Menu.Item>
        )}
        {query.actions.includes("delete") && (
          <Menu.Item leftSection={<IconTrash size={16} />} c={LOSING} onClick={saving.remove}>
            Delete
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
