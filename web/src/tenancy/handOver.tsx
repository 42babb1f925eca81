/** What became of a link that somebody was made: sent, and said in passing; or shown once, to be handed over. */
import { Button, Group, Stack, Text } from "@mantine/core";
import { modals } from "@mantine/modals";
import { notifications } from "@mantine/notifications";
import { OnceShown } from "./OnceShown";

interface Made {
  name: string;
  /** In the server's words: sent, or not. */
  said: string;
  link: string | null;
}

export function tellOfLink({ name, said, link }: Made): void {
  if (link === null) {
    notifications.show({ message: said });
    return;
  }
  const id = modals.open({
    title: `The link for ${name}`,
    size: "lg",
    // It is not shown again: a slip of the mouse must not lose it.
    closeOnClickOutside: false,
    children: <Handed said={said} link={link} onDone={() => modals.close(id)} />,
  });
}

/** A link to hand over, under what is to be known of it. */
export function Handed({ said, link, onDone }: { said: string; link: string | null; onDone: () => void }) {
  return (
    <Stack>
      <Text size="sm" role="status">
        {said}
      </Text>
      {link && <OnceShown secret={link} title="To hand over: it is not shown again" />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onDone}>
          Done
        </Button>
      </Group>
    </Stack>
  );
}
