/** Cell classes of the page's tables, denser in a narrow card. */
export const CELL = 'px-3.5 py-[11px] align-top @max-md:px-2.5';
export const HEAD =
  'px-3.5 py-[9px] text-left text-xs font-medium whitespace-nowrap text-ink-3 @max-md:px-2.5';
/** A link in a cell: room for a finger where fingers are, without moving what is around it. */
export const TOUCHED_LINK =
  'relative pointer-coarse:after:absolute pointer-coarse:after:-inset-x-2 pointer-coarse:after:-inset-y-3';
