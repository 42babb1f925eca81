/** The keys that work everywhere, and a list of all of them for whoever asks with a question mark. */
import { Kbd, Modal, Table, Text } from "@mantine/core";
import { useDisclosure, useHotkeys } from "@mantine/hooks";
import { Fragment } from "react";
import { palette } from "./paletteStore";

export const MOD = /Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌘" : "Ctrl";

const KEYS: readonly { where: string; keys: readonly { press: readonly string[]; does: string }[] }[] = [
  {
    where: "Everywhere",
    keys: [
      { press: [MOD, "K"], does: "Go to a page, a table, a person or a project by its name" },
      { press: ["/"], does: "The same, outside a field" },
      { press: ["?"], does: "This list" },
      { press: ["Esc"], does: "Close what is open, and go back to where you were" },
    ],
  },
  {
    where: "In SQL",
    keys: [
      { press: [MOD, "Enter"], does: "Run the statement" },
      { press: [MOD, "S"], does: "Save it" },
      { press: ["Esc", "Tab"], does: "Leave the editor, one after the other" },
    ],
  },
];

export function Shortcuts() {
  const [opened, { open, close }] = useDisclosure();
  useHotkeys([
    ["shift + ?", open],
    ["?", open],
  ]);
  // Also while one types, in a field or in the SQL editor.
  useHotkeys([["mod + K", palette.open]], [], true);
  return (
    <Modal opened={opened} onClose={close} title="Keys">
      {KEYS.map(({ where, keys }) => (
        <Fragment key={where}>
          <Text fw={600} size="sm" pt="xs">
            {where}
          </Text>
          <Table withRowBorders={false} verticalSpacing={4} layout="fixed">
            <Table.Tbody>
              {keys.map(({ press, does }) => (
                <Table.Tr key={does}>
                  <Table.Td w={130}>
                    {press.map((key) => (
                      <Kbd key={key} mr={4}>
                        {key}
                      </Kbd>
                    ))}
                  </Table.Td>
                  <Table.Td>{does}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Fragment>
      ))}
    </Modal>
  );
}
