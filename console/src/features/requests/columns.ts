/** Minimum card width of each column. Narrow cards fold it into the first column. */
export const COLUMNS = {
  status: 'w-16 @xl:w-[104px]',
  model: '@max-xl:w-full @max-xl:max-w-0',
  time: 'w-[136px] hidden @2xl:table-cell',
  key: 'hidden @3xl:table-cell',
  tokens: 'w-[132px] hidden @4xl:table-cell',
  firstByte: 'w-[96px] hidden @5xl:table-cell',
  latency: 'w-[92px] hidden @xl:table-cell',
  cost: 'w-[104px] @xl:w-[118px]',
} as const;

export const CELL = 'px-3.5 py-[11px] align-middle @max-xl:px-2.5';
export const HEAD =
  'bg-surface shadow-[inset_0_-1px_0_var(--line)] px-3.5 py-[9px] text-left text-xs font-medium whitespace-nowrap text-ink-3 @max-xl:px-2.5';
