/** Sending one file into a volume, with word of how far it is; it can be stopped. */
import { ownHeaders, Problem, problemFrom } from "../../api/client";

export interface Sending {
  done: Promise<void>;
  stop: () => void;
}

export class Stopped extends Error {}

/** Where a file of a volume has its address. */
export function fileAddress(volumeId: string, path: string): string {
  return `/api/v1/volumes/${volumeId}/files/${path.split("/").map(encodeURIComponent).join("/")}`;
}

/** With XMLHttpRequest, because fetch does not tell how much has been sent. */
export function send(
  volumeId: string,
  path: string,
  file: File,
  { overwrite, onSent }: { overwrite: boolean; onSent: (bytes: number) => void },
): Sending {
  const request = new XMLHttpRequest();
  const done = new Promise<void>((resolve, reject) => {
    request.upload.onprogress = (event) => onSent(event.loaded);
    request.onload = () =>
      request.status < 300 ? resolve() : reject(problemFrom(request.status, request.responseText));
    request.onerror = () => reject(new Problem(0, "The file could not be sent. Check your connection, and try again."));
    request.onabort = () => reject(new Stopped());
  });
  request.open("PUT", `${fileAddress(volumeId, path)}${overwrite ? "?overwrite=true" : ""}`);
  for (const [name, value] of Object.entries(ownHeaders())) request.setRequestHeader(name, value);
  request.setRequestHeader("Content-Type", "application/octet-stream");
  request.send(file);
  return { done, stop: () => request.abort() };
}
