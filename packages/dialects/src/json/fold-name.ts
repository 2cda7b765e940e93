const ONE_CODE_POINT = /^.$/su;

/**
 * Folds the case of a member name as case-insensitive JSON readers do: Go's `encoding/json` uses Unicode simple folding
 * (`ſ` is `s`, the Kelvin sign is `k`). Dotted and dotless i count as `i` too, as in Java's `equalsIgnoreCase`.
 * @returns the same text for every spelling that one of these readers takes for the same name
 */
export function foldName(name: string): string {
  let folded = '';
  for (const point of name) folded += foldCodePoint(point);
  return folded;
}

function foldCodePoint(point: string): string {
  if (point === 'İ') return 'i';
  const upper = point.toUpperCase();
  // One code point may become several ('ß' is 'SS'): simple folding leaves these as they are.
  const single = ONE_CODE_POINT.test(upper) ? upper : point;
  const lower = single.toLowerCase();
  return ONE_CODE_POINT.test(lower) ? lower : single;
}

/** As {@link foldName}, and without `_` and `-`, which some readers leave out when they compare names (`maxTokens`). */
export function foldNameLoosely(name: string): string {
  return foldName(name).replaceAll(/[_-]/g, '');
}
