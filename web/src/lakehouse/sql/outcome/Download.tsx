/** A result as a file. */
import { Button, Menu, Switch } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useState } from "react";
import { viewing } from "../../../tenancy/viewing";

export function Download({ queryId }: { queryId: string }) {
  const [escaped, setEscaped] = useState(true);
  const at = (format: string, more = "") =>
    `/api/v1/queries/${encodeURIComponent(queryId)}/download?format=${format}${more}`;
  return (
    <Menu position="bottom-end" width={290}>
      <Menu.Target>
        <Button size="xs" variant="default" disabled={viewing() !== null} leftSection={<IconDownload size={15} />}>
          Download
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component="a" href={at("csv", `&escape_formulas=${escaped}`)} download>
          CSV
        </Menu.Item>
        <Menu.Item component="a" href={at("xlsx")} download>
          Excel
        </Menu.Item>
        <Menu.Item component="a" href={at("parquet")} download>
          Parquet
        </Menu.Item>
        <Menu.Divider />
        <Switch
          m="xs"
          size="xs"
          label="Keep formulas harmless in CSV"
          description="An apostrophe goes before text that a spreadsheet would take for a formula."
          checked={escaped}
          onChange={(event) => setEscaped(event.currentTarget.checked)}
        />
      </Menu.Dropdown>
    </Menu>
  );
}
