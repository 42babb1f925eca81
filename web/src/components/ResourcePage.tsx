/** The page of one thing: asked for, and then shown; or what is said where it is not there, or not for the reader. */
import { Group, Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Trouble } from "./Trouble";

interface Props<Thing> {
  /** What the answer is kept under. */
  of: readonly unknown[];
  read: () => Promise<Thing>;
  children: (thing: Thing) => ReactNode;
}

export function ResourcePage<Thing>({ of, read, children }: Props<Thing>) {
  const found = useQuery({ queryKey: of, queryFn: read });
  if (found.error) return <Trouble error={found.error} />;
  if (!found.data) return <Skeleton height={220} />;
  return children(found.data);
}

/** The facts about it, side by side under its name. */
export function Facts({ children }: { children: ReactNode }) {
  return (
    <Group gap="xl" align="flex-start">
      {children}
    </Group>
  );
}
