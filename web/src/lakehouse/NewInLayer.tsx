/** Something new in a layer, for those who may make it there: where, how it is called, what it holds. */
import { Button, Modal, Stack, Textarea } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import { Told } from "../components/Told";
import { useOnce } from "../runs/once";
import { LayerToMakeIn, useLayersToMakeIn } from "./LayerToMakeIn";
import { NameInput } from "./NameInput";

interface Said {
  layer: string;
  name: string;
  description: string;
}

interface Props<Made> {
  what: "table" | "volume";
  example: string;
  /** The only layer to make it in. */
  layer?: string;
  make: (said: Said) => Promise<Made>;
  onMade: (made: Made) => unknown;
  /** What else is said about it. */
  children?: ReactNode;
  size?: "xl";
  variant?: "default";
}

/** There is nothing to press where there is no layer to make one in. */
export function NewInLayer<Made>(props: Props<Made>) {
  const [opened, setOpened] = useState(false);
  const close = () => setOpened(false);
  if (useLayersToMakeIn(props.layer).length === 0) return null;
  return (
    <>
      <Button variant={props.variant} onClick={() => setOpened(true)}>
        New {props.what}
      </Button>
      <Modal opened={opened} onClose={close} title={`New ${props.what}`} size={props.size}>
        <Form {...props} onDone={close} />
      </Modal>
    </>
  );
}

function Form<Made>({ what, example, layer, make, onMade, children, onDone }: Props<Made> & { onDone: () => void }) {
  const choices = useLayersToMakeIn(layer);
  const [said, setSaid] = useState<Said>({ layer: choices[0]?.id ?? "", name: "", description: "" });
  const set = (part: Partial<Said>) => setSaid({ ...said, ...part });
  const cache = useQueryClient();
  const making = useMutation({
    mutationFn: () => make(said),
    onSuccess: async (made) => {
      await cache.invalidateQueries({ queryKey: [`${what}s`] });
      onDone();
      await onMade(made);
    },
  });
  const makeOnce = useOnce(making);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // Where this was opened from may be a form itself.
    event.stopPropagation();
    makeOnce();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <LayerToMakeIn choices={choices} value={said.layer} onChange={(value) => set({ layer: value ?? "" })} />
        <NameInput example={example} data-autofocus value={said.name} onChange={(name) => set({ name })} />
        <Textarea
          label="What it holds"
          name="description"
          autosize
          maxLength={2000}
          value={said.description}
          onChange={(event) => set({ description: event.currentTarget.value })}
        />
        {children}
        <Told error={making.error} />
        <Button type="submit" loading={making.isPending}>
          Create the {what}
        </Button>
      </Stack>
    </form>
  );
}
