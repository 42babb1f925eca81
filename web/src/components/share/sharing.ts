/** Whether the share panel of a page is open, as it stands in the address. */
export interface Sharing {
  share?: true;
}

export const sharing = (search: Record<string, unknown>): Sharing => ({
  share: search.share === true ? true : undefined,
});
