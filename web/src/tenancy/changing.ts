/** What every change among people does to what the app knows: members, groups and projects hang together. */
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { doneWithUndo } from "../components/undo";
import { meQuery } from "./session";

interface After<Answer> {
  onDone?: (answer: Answer) => void | Promise<void>;
  /** Instead of a line in passing, where more is to be said. */
  tell?: (answer: Answer) => void;
  /** The way back, where it leads exactly to where one was. */
  undo?: (answer: Answer) => Promise<unknown>;
}

export function useChanging<Sent, Answer>(
  change: (sent: Sent) => Promise<Answer>,
  said: (answer: Answer) => string,
  { onDone, tell, undo }: After<Answer> = {},
) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: async (answer) => {
      await onDone?.(answer);
      if (tell) tell(answer);
      else if (undo) doneWithUndo(said(answer), () => undo(answer));
      else notifications.show({ message: said(answer) });
      const touched = [["members"], ["groups"], ["projects"], meQuery.queryKey];
      await Promise.all(touched.map((queryKey) => cache.invalidateQueries({ queryKey })));
    },
  });
}
