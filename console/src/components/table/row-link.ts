/** A link that covers its row; the row needs `relative`. */
export const ROW_LINK =
  'block truncate rounded-sm after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent';

/** Classes of a row with such a link. */
export const LINK_ROW = 'relative has-[a:focus-visible]:bg-sunken';
