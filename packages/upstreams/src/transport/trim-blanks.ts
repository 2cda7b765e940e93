/**
 * A header's value without optional whitespace (https://www.rfc-editor.org/rfc/rfc9110#section-5.6.3), which is less than
 * `trim` removes. A regular expression would try every blank inside the value as the start of its end.
 */
export function trimBlanks(value: string): string {
  return sliceValue(value, 0, value.length);
}

/** The same for a value between two offsets of a text. */
export function sliceValue(text: string, from: number, to: number): string {
  let start = from;
  let end = to;
  while (start < end && isBlank(text.charCodeAt(start))) start += 1;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09;
}
