/** Where files are dropped; whoever has no mouse takes the button. */
import { Box, Button, FileButton, Group, Overlay, Text } from "@mantine/core";
import { IconUpload } from "@tabler/icons-react";
import { type DragEvent, type ReactNode, useRef, useState } from "react";
import { type Dropped, filesOf } from "./dropped";

interface Props {
  onFiles: (files: Dropped[]) => void;
  into: string;
  children: ReactNode;
}

export function DropPlace({ onFiles, into, children }: Props) {
  const [over, setOver] = useState(false);
  // Going over something inside counts as leaving what is around it.
  const depth = useRef(0);
  const reset = useRef<() => void>(null);
  const carriesFiles = (event: DragEvent) => event.dataTransfer.types.includes("Files");
  const move = (by: 1 | -1) => (event: DragEvent) => {
    if (!carriesFiles(event)) return;
    event.preventDefault();
    depth.current += by;
    setOver(depth.current > 0);
  };
  const drop = async (event: DragEvent) => {
    if (!carriesFiles(event)) return;
    event.preventDefault();
    depth.current = 0;
    setOver(false);
    onFiles(await filesOf(event.dataTransfer));
  };
  return (
    <Box
      pos="relative"
      onDragEnter={move(1)}
      onDragLeave={move(-1)}
      onDragOver={(event) => carriesFiles(event) && event.preventDefault()}
      onDrop={drop}
      data-testid="drop-place"
    >
      <Group mb="sm" gap="md">
        <FileButton
          multiple
          resetRef={reset}
          onChange={(files) => {
            onFiles(files.map((file) => ({ path: file.name, file })));
            reset.current?.();
          }}
        >
          {(props) => (
            <Button leftSection={<IconUpload size={16} />} {...props}>
              Upload files
            </Button>
          )}
        </FileButton>
        <Text size="sm" c="dimmed">
          or drop files and folders anywhere here
        </Text>
      </Group>
      {children}
      {over && (
        <Overlay
          radius="md"
          backgroundOpacity={0.06}
          color="#0b6b63"
          style={{ border: "2px dashed var(--mantine-primary-color-filled)", pointerEvents: "none" }}
          center
        >
          <Text fw={600}>Let go to put them into {into}</Text>
        </Overlay>
      )}
    </Box>
  );
}
