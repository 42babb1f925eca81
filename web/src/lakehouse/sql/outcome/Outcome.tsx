/** What became of a query: how far it is, what it gave, or why it gave nothing. */
import { Alert, Center, Paper, Skeleton, Text } from "@mantine/core";
import { IconTableShortcut } from "@tabler/icons-react";
import { Empty } from "../../../components/Empty";
import { Told } from "../../../components/Told";
import type { Asked } from "../asking";
import type { Choice } from "../chart/choice";
import type { SqlSearch } from "../routes";
import { Failed } from "./Failed";
import { Going } from "./Going";
import { Result } from "./Result";

interface Props {
  asked: Asked | undefined;
  isOpen: boolean;
  error: Error | null;
  chart: Partial<Choice> | undefined;
  onShow: (shown: Pick<SqlSearch, "show" | "chart">) => void;
  onPlace: (() => void) | undefined;
  onAgain: () => void;
}

export function Outcome({ asked, isOpen, error, chart, onShow, onPlace, onAgain }: Props) {
  if (error) return <Told error={error} />;
  if (!isOpen) return <Nothing />;
  if (!asked) return <Skeleton height={160} />;
  if (asked.ended_at === null) return <Going asked={asked} />;
  if (asked.state === "cancelled") {
    return (
      <Alert
        color="gray"
        variant="light"
        styles={{ title: { color: "var(--mantine-color-text)" } }}
        title="Cancelled"
        role="status"
      >
        <Text size="sm">The query was stopped before it gave anything.</Text>
      </Alert>
    );
  }
  if (asked.state !== "succeeded") return <Failed asked={asked} onPlace={onPlace} onAgain={onAgain} />;
  return <Result key={asked.id} asked={asked} chart={chart} onShow={onShow} />;
}

function Nothing() {
  return (
    <Paper withBorder>
      <Center py={48} px="md">
        <Empty icon={IconTableShortcut} title="What comes of it is shown here">
          Write a query and run it. Tables are named layer.table; those you may see are listed at the side, and offered
          as you type.
        </Empty>
      </Center>
    </Paper>
  );
}
