/** Something that is described rather than stored, and what of it would be different. */
import { JsonInput, Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { typeInWords, typesQuery } from "../known";
import { asObject, Described } from "../ResourcePicker";
import type { Draft } from "./kinds";

export function DescribedChange({ draft, fill }: { draft: Draft; fill: (more: Partial<Draft>) => void }) {
  const { data: types = [] } = useQuery(typesQuery);
  const type = types.find((one) => one.name === draft.type);
  const [text, setText] = useState("");
  return (
    <>
      <Select
        label="Kind of thing"
        placeholder="Choose one"
        searchable
        data={types
          .filter((one) => one.properties !== null)
          .map((one) => ({ value: one.name, label: typeInWords(one.name) }))}
        value={draft.type ?? null}
        onChange={(name) => fill({ type: name ?? undefined, properties: undefined })}
        w={200}
      />
      {type && (
        <>
          <Described type={type} value={draft.properties} onChange={({ properties }) => fill({ properties })} />
          <JsonInput
            label="What would be different"
            description="The same words, with other values."
            placeholder={'{"available_for_maintenance": true}'}
            validationError="This is not complete yet."
            autosize
            minRows={2}
            w={320}
            value={text}
            onChange={(given) => {
              setText(given);
              fill({ different: asObject(given) });
            }}
          />
        </>
      )}
    </>
  );
}
