/** The head of a column; where the list can be sorted by it, a button that does. */
import { Group, type MantineBreakpoint, Table, UnstyledButton } from "@mantine/core";
import { IconArrowDown, IconArrowUp, IconSelector } from "@tabler/icons-react";
import { pressed, type Sorting, sortedAs } from "./sorting";

const ARROWS = { ascending: IconArrowUp, descending: IconArrowDown, none: IconSelector };

interface Props<Order extends string> {
  name: string;
  align?: "right";
  from?: MantineBreakpoint;
  /** The order that pressing it gives first. */
  first: Order | undefined;
  sort: Sorting<Order> | undefined;
}

export function HeaderCell<Order extends string>({ name, align, from, first, sort }: Props<Order>) {
  const look = { ta: align, visibleFrom: from };
  if (!first || !sort) return <Table.Th {...look}>{name}</Table.Th>;
  const sorted = sortedAs(first, sort);
  const Arrow = ARROWS[sorted];
  return (
    <Table.Th {...look} aria-sort={sorted}>
      <UnstyledButton fw={700} fz="inherit" onClick={() => sort.set(pressed(first, sort))}>
        <Group gap={4} wrap="nowrap" component="span">
          {name}
          <Arrow size={14} aria-hidden opacity={sorted === "none" ? 0.5 : 1} />
        </Group>
      </UnstyledButton>
    </Table.Th>
  );
}
