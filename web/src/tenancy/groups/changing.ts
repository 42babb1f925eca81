/** What every change around groups does to what the app knows. */
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Schemas } from "../../api/client";
import { doneWithUndo } from "../../components/undo";
import { meQuery } from "../session";

export type GroupSeen = Schemas["GroupOut"];

export const groupKey = (id: string) => ["groups", id] as const;

/** Members, groups and projects hang together: whoever is in a group has its roles. */
export function useChangingGroup<Sent, Answer>(
  change: (sent: Sent) => Promise<Answer>,
  said: string,
  then?: (answer: Answer) => void | Promise<void>,
  undo?: () => Promise<unknown>,
) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: async (answer) => {
      undo ? doneWithUndo(said, undo) : notifications.show({ message: said });
      await then?.(answer);
      const touched = [["members"], ["groups"], ["projects"], meQuery.queryKey];
      await Promise.all(touched.map((queryKey) => cache.invalidateQueries({ queryKey })));
    },
  });
}
