/** The look of a link inside text. */
export const TEXT_LINK =
  'rounded-sm font-medium text-accent underline decoration-accent-line underline-offset-3 hover:decoration-current';

/** A link in a table: touch screens enlarge its target, but not its line. */
export const TOUCHED_LINK =
  'relative pointer-coarse:after:absolute pointer-coarse:after:-inset-x-2 pointer-coarse:after:-inset-y-3';
