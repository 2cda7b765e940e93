/** The look of a link inside text. */
export const TEXT_LINK =
  'rounded-sm font-medium text-accent underline decoration-accent-line underline-offset-3 hover:decoration-current';
