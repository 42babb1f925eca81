/** Connecting a source: what kind it is, where it points, and the layer it lands in. Its streams come after. */
import { Button, Group, Paper, Radio, SimpleGrid, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { api, take } from "../../api/client";
import { Page } from "../../components/Page";
import { Told } from "../../components/Told";
import { useOnce } from "../../runs/once";
import { LayerPicker } from "../pipelines/pickers";
import { ConnectionFields } from "./ConnectionFields";
import { CHOICES, type Connection } from "./connection";

const FIRST = CHOICES[0]?.fresh ?? { type: "table" };

export function NewSource() {
  const cache = useQueryClient();
  const navigate = useNavigate();
  const [connection, setConnection] = useState<Connection>(FIRST);
  const [secret, setSecret] = useState("");
  const [name, setName] = useState("");
  const [description, setDescription] = useState("");
  const [layer, setLayer] = useState<string | null>(null);
  const add = useMutation({
    mutationFn: () =>
      take(
        api.POST("/api/v1/sources", {
          body: { name, description, connection, secret: secret || null, output_layer_id: layer ?? "", streams: [] },
        }),
      ),
    onSuccess: async (source) => {
      await cache.invalidateQueries({ queryKey: ["sources"] });
      await navigate({ to: "/sources/$pipelineId", params: { pipelineId: source.id }, search: { part: "streams" } });
    },
  });
  const addOnce = useOnce(add);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    addOnce();
  };
  return (
    <Page title="Connect a source" about="First where it points. What it reads there is found and chosen after that.">
      <form onSubmit={submit}>
        <Stack gap="lg" maw={760}>
          <Kind connection={connection} onChange={setConnection} />
          <Paper withBorder p="lg">
            <ConnectionFields
              key={connection.type}
              connection={connection}
              onChange={setConnection}
              secret={secret}
              onSecret={setSecret}
            />
          </Paper>
          <Paper withBorder p="lg">
            <Stack>
              <TextInput
                label="Name"
                name="name"
                description="What people here call it."
                placeholder="Web shop"
                required
                maxLength={100}
                value={name}
                onChange={(event) => setName(event.currentTarget.value)}
              />
              <Textarea
                label="Description"
                name="description"
                autosize
                maxLength={2000}
                value={description}
                onChange={(event) => setDescription(event.currentTarget.value)}
              />
              <LayerPicker
                label="Layer"
                name="output_layer_id"
                description="Where its tables land; a stream can say otherwise. It takes Editor there."
                required
                value={layer}
                onChange={setLayer}
              />
            </Stack>
          </Paper>
          <Told error={add.error} />
          <Group>
            <Button type="submit" loading={add.isPending} disabled={!layer}>
              Connect it
            </Button>
          </Group>
        </Stack>
      </form>
    </Page>
  );
}

function Kind({ connection, onChange }: { connection: Connection; onChange: (connection: Connection) => void }) {
  const choose = (type: string) => {
    const found = CHOICES.find((one) => one.type === type);
    if (found) onChange(found.fresh);
  };
  return (
    <Radio.Group label="What kind of source is it?" value={connection.type} onChange={choose}>
      <SimpleGrid cols={{ base: 1, xs: 2 }} mt="xs">
        {CHOICES.map(({ type, label, teaches, icon: Icon }) => (
          <Radio.Card key={type} value={type} p="md" aria-label={label}>
            <Group wrap="nowrap" align="flex-start">
              <Radio.Indicator />
              <div>
                <Group gap={6}>
                  <Icon size={16} stroke={1.6} />
                  <Text fw={600} size="sm">
                    {label}
                  </Text>
                </Group>
                <Text size="xs" c="dimmed">
                  {teaches}
                </Text>
              </div>
            </Group>
          </Radio.Card>
        ))}
      </SimpleGrid>
    </Radio.Group>
  );
}
