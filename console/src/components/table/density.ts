/** `plain`: a table without its own card, in running text. */
export type Density = 'normal' | 'dense' | 'plain';

/** Horizontal padding of header and cells. */
export const PADDING: Record<Density, string> = {
  normal: 'px-3.5 @max-md:px-2.5',
  dense: 'px-3',
  plain: 'pr-0 pl-3 first:pl-0',
};

/** Classes of the cells. */
export const CELL: Record<Density, string> = {
  normal: 'py-[11px]',
  dense: 'py-2 text-[13px]',
  plain: 'py-[7px] text-[13px]',
};
