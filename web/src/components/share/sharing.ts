/** Whether the share panel of a page is open, and whom one looks for there, as it stands in the address. */
import { word } from "../../app/inside";

export interface Sharing {
  share?: true;
  holder?: string;
}

export const sharing = (search: Record<string, unknown>): Sharing => ({
  share: search.share === true ? true : undefined,
  holder: search.share === true ? word(search.holder) : undefined,
});
