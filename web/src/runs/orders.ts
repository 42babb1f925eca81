/** In which order lists of runs and triggers come; the first of each is the usual one. */
import { BY_AGE, BY_NAME } from "../components/sorting";

export const RUN_ORDERS = [...BY_AGE, ...BY_NAME] as const;
export type RunOrder = (typeof RUN_ORDERS)[number];

export const TRIGGER_ORDERS = [...BY_AGE, ...BY_NAME, "next", "-next", "fired", "-fired"] as const;
export type TriggerOrder = (typeof TRIGGER_ORDERS)[number];
