/** Files on their way into a volume: what waits, what is being sent, what has arrived and what has not. */
import type { Problem } from "../../api/client";

export interface Upload {
  id: number;
  /** In the volume, from its own folder on. */
  path: string;
  file: File;
  overwrite: boolean;
  sent: number;
  state: "waiting" | "sending" | "arrived" | "stopped" | "failed";
  problem?: Problem;
}

export type Step =
  | { does: "add"; uploads: Upload[] }
  | { does: "begin" | "arrive" | "stop" | "forget"; id: number }
  | { does: "send"; id: number; bytes: number }
  | { does: "fail"; id: number; problem: Problem }
  | { does: "retry"; id: number; overwrite: boolean }
  | { does: "tidy" };

const AT_ONCE = 2;

export function after(uploads: readonly Upload[], step: Step): readonly Upload[] {
  const change = (id: number, changes: Partial<Upload>) =>
    uploads.map((one) => (one.id === id ? { ...one, ...changes } : one));
  switch (step.does) {
    case "add":
      return [...uploads, ...step.uploads];
    case "begin":
      return change(step.id, { state: "sending", sent: 0, problem: undefined });
    case "send":
      return change(step.id, { sent: step.bytes });
    case "arrive":
      return uploads.map((one) => (one.id === step.id ? { ...one, state: "arrived", sent: one.file.size } : one));
    case "stop":
      return change(step.id, { state: "stopped" });
    case "fail":
      return change(step.id, { state: "failed", problem: step.problem });
    case "retry":
      return change(step.id, { state: "waiting", overwrite: step.overwrite, sent: 0, problem: undefined });
    case "forget":
      return uploads.filter((one) => one.id !== step.id);
    case "tidy":
      return uploads.filter(isUnderWay);
  }
}

export function isUnderWay(upload: Upload): boolean {
  return upload.state === "waiting" || upload.state === "sending";
}

/** Those that may begin now: two are sent at once, in the order in which they came. */
export function toBegin(uploads: readonly Upload[]): Upload[] {
  const sending = uploads.filter((one) => one.state === "sending").length;
  return uploads.filter((one) => one.state === "waiting").slice(0, Math.max(0, AT_ONCE - sending));
}

/** How much of it all has been sent, of a hundred. */
export function howFar(upload: Pick<Upload, "sent" | "file" | "state">): number {
  if (upload.state === "arrived") return 100;
  return upload.file.size === 0 ? 0 : Math.min(99, (100 * upload.sent) / upload.file.size);
}
