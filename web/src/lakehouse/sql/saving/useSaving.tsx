/** What can be done about keeping what is written: save it, save it anew, change what it is called, delete it. */
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { api, take } from "../../../api/client";
import { confirmFirst } from "../../../components/confirm";
import { type SavedQuery, savedQuery } from "../asking";
import { type Choice, isRedrawn, readChoice } from "../chart/choice";
import { SaveDialog } from "./SaveDialog";
import { saveChange } from "./saving";

export interface Saving {
  save: () => void;
  saveAnew: () => void;
  change: () => void;
  remove: () => void;
  isPending: boolean;
  error: Error | null;
  dialog: ReactNode;
}

interface Given {
  query: SavedQuery | undefined;
  text: string;
  /** How what it gives is drawn, unless its rows are shown. */
  chart: Partial<Choice> | undefined;
  onSaved: (query: SavedQuery) => void;
  onDeleted: () => void;
}

export function useSaving({ query, text, chart, onSaved, onDeleted }: Given): Saving {
  const cache = useQueryClient();
  const [dialog, setDialog] = useState<"new" | "change">();
  const saved = (now: SavedQuery) => {
    cache.setQueryData(savedQuery(now.id).queryKey, now);
    void cache.invalidateQueries({ queryKey: ["saved-queries", "list"] });
    setDialog(undefined);
    notifications.show({ message: `“${now.name}” is saved.` });
    onSaved(now);
  };
  const resave = useMutation({
    mutationFn: (changed: SavedQuery) => saveChange(changed, { sql: text, chart }),
    onSuccess: saved,
  });
  const remove = useMutation({
    mutationFn: ({ id, version }: SavedQuery) =>
      take(
        api.DELETE("/api/v1/saved-queries/{query_id}", {
          params: { path: { query_id: id }, header: { "If-Match": `"${version}"` } },
        }),
      ),
    onSuccess: (_, gone) => {
      onDeleted();
      cache.removeQueries({ queryKey: savedQuery(gone.id).queryKey });
      void cache.invalidateQueries({ queryKey: ["saved-queries", "list"] });
      notifications.show({ message: `“${gone.name}” is deleted.` });
    },
  });
  const isOwn = query?.actions.includes("edit") ?? false;
  return {
    save: () => {
      if (text.trim() === "") return;
      if (!query || !isOwn) setDialog("new");
      else if (query.sql !== text || isRedrawn(chart, readChoice(query.chart))) resave.mutate(query);
    },
    saveAnew: () => setDialog("new"),
    change: () => setDialog("change"),
    remove: () => {
      if (!query) return;
      const what = query.shared ? "It goes for everybody who sees it." : "Its text is gone then.";
      confirmFirst(`Delete “${query.name}”?`, what, "Delete it", () => remove.mutate(query));
    },
    isPending: resave.isPending || remove.isPending,
    error: resave.error ?? remove.error,
    dialog: dialog && (
      <SaveDialog
        sql={dialog === "new" ? text : undefined}
        query={query}
        chart={chart}
        onClose={() => setDialog(undefined)}
        onSaved={saved}
      />
    ),
  };
}
