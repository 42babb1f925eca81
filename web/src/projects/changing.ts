/** What every change in a project does to what the app knows. */
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";

export const projectKey = (id: string) => ["projects", id] as const;

export function useChangingProject<Sent, Answer>(
  change: (sent: Sent) => Promise<Answer>,
  said: (answer: Answer) => string,
  then?: (answer: Answer) => void | Promise<void>,
) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: async (answer) => {
      notifications.show({ message: said(answer) });
      await then?.(answer);
      const touched = [["projects"], ["members"], ["groups"]];
      await Promise.all(touched.map((queryKey) => cache.invalidateQueries({ queryKey })));
    },
  });
}
