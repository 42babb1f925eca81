/** A problem where it happened: what is wrong, and what to do; of a refusal, what it takes. What is about a field of the
 * form stands at that field, which says by its `name` how the API calls it; all else stands here. */
import { Alert, Input, List, Text } from "@mantine/core";
import { IconAlertCircle, IconLock } from "@tabler/icons-react";
import { useId, useLayoutEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { Problem } from "../api/client";
import { boxOf, fieldOf, mark, said } from "./fields";
import { NotForYou } from "./NotForYou";

interface AtField {
  text: string;
  box: Element;
}

export function Told({ error }: { error: Error | null }) {
  const place = useRef<HTMLSpanElement>(null);
  const id = useId();
  const [atFields, setAtFields] = useState<readonly AtField[]>([]);
  const [here, setHere] = useState<readonly string[]>([]);
  useLayoutEffect(() => {
    const form = place.current?.closest("form");
    const found: AtField[] = [];
    const others: string[] = [];
    const marked: (() => void)[] = [];
    for (const wrong of error instanceof Problem ? error.fields : []) {
      const field = form && fieldOf(form, wrong.field);
      const box = field && boxOf(field);
      const text = `${wrong.problem} ${wrong.fix}`.trim();
      const unmark = box && mark(box, `${id}${found.length}`, found.length === 0);
      if (unmark) {
        marked.push(unmark);
        found.push({ text, box });
      } else if (!box) others.push(said(wrong.field, text));
    }
    setAtFields(found);
    setHere(error instanceof Problem && error.fields.length > 0 ? others : error ? [error.message] : []);
    return () => {
      for (const undo of marked) undo();
    };
  }, [error, id]);
  if (error === null) return null;
  if (error instanceof Problem && error.decision) {
    return (
      <Alert variant="default" icon={<IconLock size={18} />} role="alert">
        <NotForYou decision={error.decision} />
      </Alert>
    );
  }
  return (
    <>
      <span ref={place} hidden />
      {atFields.map(({ text, box }, position) =>
        createPortal(
          <Input.Error id={`${id}${position}`} role="alert" mt={4}>
            {text}
          </Input.Error>,
          box,
          `${position}`,
        ),
      )}
      {here.length > 0 && (
        <Alert color="red" variant="light" icon={<IconAlertCircle size={18} />} role="alert">
          {here.length === 1 ? (
            <Text size="sm">{here[0]}</Text>
          ) : (
            <List size="sm">
              {here.map((one) => (
                <List.Item key={one}>{one}</List.Item>
              ))}
            </List>
          )}
        </Alert>
      )}
    </>
  );
}
