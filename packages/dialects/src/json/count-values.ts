const [QUOTE, COMMA, COLON, BACKSLASH] = [0x22, 0x2c, 0x3a, 0x5c];
const [OPEN_LIST, OPEN_OBJECT] = [0x5b, 0x7b];

/**
 * Values and names of a JSON text at most, counted without parsing it.
 * @param enough counting ends above this number
 */
export function countValues(json: string, enough: number): number {
  let count = 1;
  for (let at = 0; at < json.length && count <= enough; at += 1) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) at = endOfString(json, at);
    else if (code === COMMA || code === COLON || code === OPEN_LIST || code === OPEN_OBJECT) count += 1;
  }
  return count;
}

/** @returns the index of the closing quote, or the end of the text */
function endOfString(json: string, start: number): number {
  for (let at = json.indexOf('"', start + 1); at >= 0; at = json.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (json.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return at;
  }
  return json.length;
}
