/** Tokens for programs: made, shown once, revoked. They reach what their maker reaches at that moment, or less. */
import { Button, Checkbox, Group, NumberInput, Stack, TextInput } from "@mantine/core";
import { IconKey } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api, take } from "../../api/client";
import { Empty } from "../../components/Empty";
import { Told } from "../../components/Told";
import { OnceShown } from "../OnceShown";
import { TokenList } from "../TokenList";

const OF = ["tokens"];

export function Tokens() {
  return (
    <Stack>
      <NewToken />
      <TokenList
        of={OF}
        read={(query) => take(api.GET("/api/v1/tokens", { params: { query } }))}
        revoke={({ id }) => api.DELETE("/api/v1/tokens/{token_id}", { params: { path: { token_id: id } } })}
        empty={
          <Empty icon={IconKey} title="You have no token">
            A program signs in with one, as you, and never reaches more than you do.
          </Empty>
        }
      />
    </Stack>
  );
}

function NewToken() {
  const cache = useQueryClient();
  const [name, setName] = useState("");
  const [readOnly, setReadOnly] = useState(true);
  const [days, setDays] = useState<number | "">(90);
  const make = useMutation({
    mutationFn: () =>
      take(
        api.POST("/api/v1/tokens", {
          body: { name, read_only: readOnly, expires_in_days: days === "" ? null : days },
        }),
      ),
    onSuccess: async () => {
      setName("");
      await cache.invalidateQueries({ queryKey: OF });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    make.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Group align="flex-end">
          <TextInput
            label="What it is for"
            name="name"
            required
            maxLength={200}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <NumberInput
            label="For how many days"
            name="expires_in_days"
            placeholder="for good"
            min={1}
            max={3650}
            allowDecimal={false}
            value={days}
            onChange={(value) => setDays(typeof value === "number" ? value : "")}
          />
          <Checkbox
            label="Reads only"
            checked={readOnly}
            onChange={(event) => setReadOnly(event.currentTarget.checked)}
            pb={8}
          />
          <Button type="submit" loading={make.isPending}>
            Make a token
          </Button>
        </Group>
        <Told error={make.error} />
        {make.data && <OnceShown secret={make.data.secret} />}
      </Stack>
    </form>
  );
}
