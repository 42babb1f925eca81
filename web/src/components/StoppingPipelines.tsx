/** Pipelines that would stop by a change, since whom they act as loses what they need; and those that would work again. */
import { Alert, List } from "@mantine/core";
import { IconAlertTriangle, IconPlayerPlay } from "@tabler/icons-react";
import type { Schemas } from "../api/client";
import { KindLink } from "../lakehouse/KindLink";

type Stopping = Schemas["StoppingOut"];

export function StoppingPipelines({ pipelines, more }: { pipelines: readonly Stopping[]; more: boolean }) {
  const stopping = pipelines.filter((one) => one.then === "restricted");
  const again = pipelines.filter((one) => one.then === "works again");
  return (
    <>
      {stopping.length > 0 && (
        <Alert
          color="orange"
          variant="default"
          icon={<IconAlertTriangle size={18} />}
          title="These pipelines would stop"
        >
          <Named pipelines={stopping} more={more} />
        </Alert>
      )}
      {again.length > 0 && (
        <Alert
          color="petrol"
          variant="default"
          icon={<IconPlayerPlay size={18} />}
          title="These pipelines would work again"
        >
          <Named pipelines={again} more={more && stopping.length === 0} />
        </Alert>
      )}
    </>
  );
}

function Named({ pipelines, more }: { pipelines: readonly Stopping[]; more: boolean }) {
  return (
    <List size="sm">
      {pipelines.map(({ resource, kind, because }) => (
        <List.Item key={resource.id}>
          <KindLink kind={kind} id={resource.id} name={resource.name} />: {because}
        </List.Item>
      ))}
      {more && <List.Item>and more</List.Item>}
    </List>
  );
}
