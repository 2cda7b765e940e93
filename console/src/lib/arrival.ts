/**
 * The query with which this page was opened, as it came. The router reads numbers in it and writes them anew, which a
 * provider's code does not survive: `main.tsx` imports this first.
 */
export const arrivalQuery = window.location.search;
