/** The parts of a page as tabs; which one is shown stands in the address, so that it can be sent to somebody. */
import { Tabs } from "@mantine/core";
import type { ReactNode } from "react";

export interface Part<Name extends string> {
  name: Name;
  label: string;
  show: () => ReactNode;
}

interface Props<Name extends string> {
  /** Those that are not for the reader are left out. */
  parts: readonly (Part<Name> | false)[];
  shown: Name | undefined;
  onShow: (name: Name) => void;
}

export function Parts<Name extends string>({ parts: some, shown, onShow }: Props<Name>) {
  const parts = some.filter((part) => part !== false);
  const chosen = parts.find((part) => part.name === shown) ?? parts[0];
  if (!chosen) return null;
  return (
    <Tabs value={chosen.name} onChange={(name) => onShow(name as Name)} keepMounted={false}>
      <Tabs.List mb="md">
        {parts.map((part) => (
          <Tabs.Tab key={part.name} value={part.name}>
            {part.label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={chosen.name}>{chosen.show()}</Tabs.Panel>
    </Tabs>
  );
}
