/** The uploads of one volume's page: they go on while one looks at other folders and parts of it. */
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useReducer, useRef } from "react";
import { Problem } from "../../api/client";
import { type Sending, Stopped, send } from "./sending";
import { after, isUnderWay, toBegin, type Upload } from "./uploads";

export interface ToSend {
  path: string;
  file: File;
  overwrite: boolean;
}

let made = 0;

export function useUploads(volumeId: string) {
  const [uploads, tell] = useReducer(after, []);
  const sendings = useRef(new Map<number, Sending>());
  const cache = useQueryClient();

  const begin = useCallback(
    async (upload: Upload) => {
      const sending = send(volumeId, upload.path, upload.file, {
        overwrite: upload.overwrite,
        onSent: (bytes) => tell({ does: "send", id: upload.id, bytes }),
      });
      sendings.current.set(upload.id, sending);
      tell({ does: "begin", id: upload.id });
      try {
        await sending.done;
        tell({ does: "arrive", id: upload.id });
        await cache.invalidateQueries({ queryKey: ["volumes", volumeId, "files"] });
      } catch (error) {
        if (error instanceof Stopped) tell({ does: "stop", id: upload.id });
        else
          tell({ does: "fail", id: upload.id, problem: error instanceof Problem ? error : new Problem(0, `${error}`) });
      } finally {
        sendings.current.delete(upload.id);
      }
    },
    [volumeId, cache],
  );

  useEffect(() => {
    for (const upload of toBegin(uploads)) if (!sendings.current.has(upload.id)) void begin(upload);
  }, [uploads, begin]);

  useEffect(() => {
    const under = sendings.current;
    return () => {
      for (const sending of under.values()) sending.stop();
    };
  }, []);

  return {
    uploads,
    busy: uploads.some(isUnderWay),
    add: (files: readonly ToSend[]) =>
      tell({
        does: "add",
        uploads: files.map((one) => ({ ...one, id: ++made, sent: 0, state: "waiting" })),
      }),
    stop: (id: number) => {
      const sending = sendings.current.get(id);
      if (sending) sending.stop();
      else tell({ does: "stop", id });
    },
    retry: (id: number, overwrite: boolean) => tell({ does: "retry", id, overwrite }),
    tidy: () => tell({ does: "tidy" }),
  };
}

export type Uploads = ReturnType<typeof useUploads>;
