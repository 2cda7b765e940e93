/** From which width of the card a column is shown; a narrow card folds it into the model's own cell. */
export const COLUMNS = {
  context: 'hidden @xl:table-cell',
  actions: 'hidden @lg:table-cell',
  maxOutput: 'hidden @3xl:table-cell',
  cache: 'hidden @4xl:table-cell',
  capabilities: 'hidden @5xl:table-cell',
} as const;

export const FOLDED = {
  context: '@xl:hidden',
  actions: '@lg:hidden',
  cache: '@4xl:hidden',
  capabilities: '@5xl:hidden',
} as const;
