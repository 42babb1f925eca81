/** The orders that lists of tables know. */
import { BY_NAME } from "../../components/sorting";

export const TABLE_ORDERS = [...BY_NAME, "changed", "-changed"] as const;
export type TableOrder = (typeof TABLE_ORDERS)[number];
