/** Why a query gave nothing: what is wrong and where, or what one may not see and who can give it. */
import { Alert, Anchor, Button, Group, Stack, Text } from "@mantine/core";
import { IconAlertCircle, IconRefresh } from "@tabler/icons-react";
import type { Asked } from "../asking";
import { missingTables, placeIn, withoutPlace } from "../statement";
import { Refused } from "./Refused";

interface Props {
  asked: Asked;
  /** Goes to the place in the editor, if it is still there. */
  onPlace: (() => void) | undefined;
  onAgain: () => void;
}

export function Failed({ asked, onPlace, onAgain }: Props) {
  const problem = asked.problem ?? { code: "", message: "It did not succeed.", fix: "" };
  const missing = missingTables(problem);
  if (missing.length > 0) return <Refused tables={missing} at={asked.created_at} onAgain={onAgain} />;
  const place = placeIn(problem.message);
  return (
    <Alert
      color="red"
      variant="light"
      icon={<IconAlertCircle size={18} />}
      title={asked.state === "restricted" ? "You may not run this" : "It did not succeed"}
      role="alert"
    >
      <Stack gap="xs">
        <Text size="sm" style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
          {withoutPlace(problem.message)}
        </Text>
        {problem.fix && <Text size="sm">{problem.fix}</Text>}
        <Group gap="md">
          {place &&
            (onPlace ? (
              <Anchor component="button" size="sm" fw={600} c="inherit" td="underline" onClick={onPlace}>
                Line {place.line}, position {place.position}
              </Anchor>
            ) : (
              <Text size="sm" fw={600}>
                Line {place.line}, position {place.position}
              </Text>
            ))}
          {!place && (
            <Button size="xs" variant="default" leftSection={<IconRefresh size={15} />} onClick={onAgain}>
              Run it again
            </Button>
          )}
        </Group>
      </Stack>
    </Alert>
  );
}
