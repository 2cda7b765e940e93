/** JSON between two strings: punctuation and literals. */
const BETWEEN = /[{}[\],:]|[^"{}[\],:]+/g;

/** Splits a text into words, each with the whitespace before it. */
export function* splitWords(text: string): Generator<string> {
  // Without whitespace at the end, which the pattern would search again from each of its characters.
  for (const [word] of text.trimEnd().matchAll(/\s*\S+/g)) yield word;
}

/**
 * Splits JSON into punctuation, strings and literals: about one token each.
 * @param json valid JSON
 */
export function* splitJson(json: string): Generator<string> {
  let at = 0;
  while (at < json.length) {
    const quote = json.indexOf('"', at);
    const start = quote < 0 ? json.length : quote;
    for (const [piece] of json.slice(at, start).matchAll(BETWEEN)) yield piece;
    at = quote < 0 ? start : findStringEnd(json, quote);
    if (quote >= 0) yield json.slice(quote, at);
  }
}

/** @returns the offset after the string that starts at `start` */
function findStringEnd(json: string, start: number): number {
  for (let quote = json.indexOf('"', start + 1); quote >= 0; quote = json.indexOf('"', quote + 1)) {
    let first = quote;
    while (json[first - 1] === '\\') first -= 1;
    if ((quote - first) % 2 === 0) return quote + 1;
  }
  return json.length;
}
