/** Reads a pipeline of any kind, for its page and for the form that changes it. */
import type { ReactNode } from "react";
import { ResourcePage } from "../../components/ResourcePage";
import type { Pipeline } from "./common";
import type { Kind } from "./kinds";

interface Props<P extends Pipeline> {
  kind: Kind;
  id: string;
  read: (id: string) => Promise<P>;
  children: (pipeline: P) => ReactNode;
}

export function OnePipeline<P extends Pipeline>({ kind, id, read, children }: Props<P>) {
  return <ResourcePage query={{ queryKey: [kind.resource, id], queryFn: () => read(id) }}>{children}</ResourcePage>;
}
