/** The text in the editor: a draft if there is one, else what is saved, or what was asked. */
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useState } from "react";
import { type Asked, askedQuery, type SavedQuery } from "./asking";
import { bringBack, draftOf, keepDraft, keepOpened, type Opened, openedLast, putAside, replaceDraft } from "./drafts";

interface Given {
  saved: string | undefined;
  query: string | undefined;
  savedQuery: SavedQuery | undefined;
  /** Nothing while it is on its way; null where there is no such query any more. */
  asked: Asked | null | undefined;
  /** Goes to what was open last. */
  goTo: (opened: Opened) => void;
}

export function useText({ saved, query, savedQuery, asked, goTo }: Given) {
  const cache = useQueryClient();
  const [text, setText] = useState<string>();
  const [aside, setAside] = useState(putAside);

  /** Whether what is nobody's yet was asked, and so can be found again. */
  const wasRun = useCallback(() => {
    const { query: last } = openedLast();
    return last !== undefined && cache.getQueryData(askedQuery(last).queryKey)?.sql === draftOf(undefined);
  }, [cache]);

  useEffect(() => {
    if (saved) {
      const now = draftOf(saved) ?? savedQuery?.sql;
      setText(now);
      if (savedQuery) keepOpened({ saved, query });
      return;
    }
    const last = openedLast();
    if (!query) {
      if (last.saved || last.query) goTo(last);
      else setText(draftOf(undefined) ?? "");
      return;
    }
    if (last.query === query && !last.saved) {
      setText(draftOf(undefined) ?? asked?.sql);
    } else if (asked) {
      replaceDraft(asked.sql, wasRun());
      keepOpened({ query });
      setText(asked.sql);
    } else if (asked === null) {
      keepOpened({});
      setText(draftOf(undefined) ?? "");
    }
    setAside(putAside());
  }, [saved, query, savedQuery, asked, goTo, wasRun]);

  return {
    text,
    write: (now: string) => {
      setText(now);
      keepDraft(saved, saved && now === savedQuery?.sql ? undefined : now);
    },
    /** An empty page; what stood there is kept aside if it was never run. */
    begin: () => {
      replaceDraft("", wasRun());
      keepOpened({});
      setText("");
      setAside(putAside());
      goTo({});
    },
    /** Back to what is saved. */
    undo: () => {
      keepDraft(saved, undefined);
      setText(savedQuery?.sql);
    },
    aside: saved ? undefined : aside,
    bringBack: () => {
      setText(bringBack() ?? "");
      setAside(undefined);
      keepOpened({});
      goTo({});
    },
  };
}
