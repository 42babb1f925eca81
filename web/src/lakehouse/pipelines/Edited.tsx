/** Reads the pipeline that is to be changed, and shows the form with it. */
import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Trouble } from "../../components/Trouble";
import type { Pipeline } from "./common";
import type { Kind } from "./kinds";

interface Props<P extends Pipeline> {
  kind: Kind;
  id: string;
  read: (id: string) => Promise<P>;
  children: (pipeline: P) => ReactNode;
}

export function Edited<P extends Pipeline>({ kind, id, read, children }: Props<P>) {
  const found = useQuery({ queryKey: [kind.resource, id], queryFn: () => read(id) });
  if (found.error) return <Trouble error={found.error} />;
  if (!found.data) return <Skeleton height={320} />;
  return children(found.data);
}
