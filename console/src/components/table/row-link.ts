/** A link that covers its row; the row needs `relative`. */
export const ROW_LINK =
  'block truncate rounded-sm after:absolute after:inset-0 focus-visible:outline-none after:focus-visible:outline-2 after:focus-visible:-outline-offset-2 after:focus-visible:outline-accent';

/** Classes of a row with such a link. */
export const LINK_ROW = 'relative has-[a:focus-visible]:bg-sunken';
