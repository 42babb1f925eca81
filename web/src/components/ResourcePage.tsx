/** The page of one thing: asked for, and then shown; or what is said where it is not there, or not for the reader. */
import { Group, Skeleton } from "@mantine/core";
import { type UseQueryOptions, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Trouble } from "./Trouble";

interface Props<Thing, Key extends readonly unknown[]> {
  query: UseQueryOptions<Thing, Error, Thing, Key>;
  children: (thing: Thing) => ReactNode;
}

export function ResourcePage<Thing, Key extends readonly unknown[]>({ query, children }: Props<Thing, Key>) {
  const { data: thing, error } = useQuery(query);
  // While the server is away, what is known stays; what is gone or closed meanwhile is known no longer.
  if (thing === undefined) return error ? <Trouble error={error} /> : <Skeleton height={220} />;
  return children(thing);
}

/** The facts about it, side by side under its name. */
export function Facts({ children }: { children: ReactNode }) {
  return (
    <Group gap="xl" align="flex-start">
      {children}
    </Group>
  );
}
