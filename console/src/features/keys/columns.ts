/** From which width of the card a column is shown; a narrow card folds it into the name. */
export const COLUMNS = {
  lastUsed: 'hidden @xl:table-cell',
  lastWeek: 'hidden @4xl:table-cell',
  scope: 'hidden @2xl:table-cell',
} as const;

export const FOLDED = {
  lastUsed: '@xl:hidden',
} as const;
