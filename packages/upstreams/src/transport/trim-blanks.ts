/**
 * A header's value without optional whitespace (https://www.rfc-editor.org/rfc/rfc9110#section-5.6.3), which is less than
 * `trim` removes. A regular expression would try every blank inside the value as the start of its end.
 */
export function trimBlanks(value: string): string {
  let start = 0;
  let end = value.length;
  while (start < end && isBlank(value.charCodeAt(start))) start += 1;
  while (end > start && isBlank(value.charCodeAt(end - 1))) end -= 1;
  return value.slice(start, end);
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09;
}
