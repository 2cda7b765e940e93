/** Minimum card width of each column. Narrow cards fold it into the name. */
export const COLUMNS = {
  lastUsed: 'hidden @xl:table-cell',
  lastWeek: 'hidden @4xl:table-cell',
  created: 'hidden @5xl:table-cell',
  scope: 'hidden @2xl:table-cell',
} as const;

export const FOLDED = {
  lastUsed: '@xl:hidden',
} as const;

export const CELL = 'px-3.5 py-[11px] align-middle @max-md:px-2.5';
/** Cell of the selection checkbox. */
export const BOX_CELL = 'w-8 py-[11px] pl-3.5 align-middle @max-md:pl-2.5';
