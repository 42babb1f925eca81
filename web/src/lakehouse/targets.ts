/** What levels are given on. */
export interface Target {
  type: "layer" | "table" | "volume";
  id: string;
}
