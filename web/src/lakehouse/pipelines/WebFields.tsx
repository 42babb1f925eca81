/** How a web address knows us: the same for what reads from one and what sends to one. */
import { Select, Textarea, TextInput } from "@mantine/core";
import type { Connection } from "../sources/connection";
import { inLines, pairsOf } from "./pairs";

type Web = Pick<Extract<Connection, { type: "http" }>, "authentication" | "user" | "header" | "headers">;

export function WebFields({ web, set }: { web: Web; set: (part: Partial<Web>) => void }) {
  return (
    <>
      <Select
        label="How it knows us"
        data={[
          { value: "none", label: "It does not ask" },
          { value: "bearer", label: "A token (Authorization: Bearer …)" },
          { value: "basic", label: "A user and a password" },
          { value: "header", label: "A secret in a header of its own" },
        ]}
        value={web.authentication}
        onChange={(value) => set({ authentication: (value ?? "none") as Web["authentication"] })}
        allowDeselect={false}
      />
      {web.authentication === "basic" && (
        <TextInput
          label="User"
          name="user"
          required
          autoComplete="off"
          value={web.user ?? ""}
          onChange={(event) => set({ user: event.currentTarget.value || null })}
        />
      )}
      {web.authentication === "header" && (
        <TextInput
          label="Header"
          name="header"
          description="Which one holds the secret."
          placeholder="X-Api-Key"
          required
          value={web.header ?? ""}
          onChange={(event) => set({ header: event.currentTarget.value || null })}
        />
      )}
      <Textarea
        label="Other headers"
        name="headers"
        description="One to a line, such as Accept: application/json. No secrets: whoever sees this sees them."
        autosize
        minRows={2}
        defaultValue={inLines(web.headers)}
        onChange={(event) => set({ headers: pairsOf(event.currentTarget.value) })}
      />
    </>
  );
}
