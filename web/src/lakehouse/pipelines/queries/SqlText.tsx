/** The statement of a pipeline query, written where all SQL is written. */
import { Input, Paper, Skeleton } from "@mantine/core";
import { lazy, Suspense, useRef } from "react";
import type { Handle } from "../../sql/editor/Editor";

const Editor = lazy(() => import("../../sql/editor/Editor"));

interface Props {
  value: string;
  onChange: (sql: string) => void;
  onRun: () => void;
}

export function SqlText({ value, onChange, onRun }: Props) {
  const editor = useRef<Handle>(null);
  return (
    <Input.Wrapper label="SQL" labelElement="div" required>
      <Input.Description id="sql-keys" mb={6}>
        One SELECT. Tables are named with their layer, such as raw.orders. Ctrl Enter makes a dry run; Escape, then Tab,
        leaves the editor.
      </Input.Description>
      <Paper withBorder h={220} style={{ overflow: "hidden" }}>
        <Suspense fallback={<Skeleton height="100%" />}>
          <Editor
            ref={editor}
            text={value}
            onText={onChange}
            onRun={onRun}
            onSave={() => undefined}
            mistake={undefined}
          />
        </Suspense>
      </Paper>
    </Input.Wrapper>
  );
}
