/** As `node:http` checks them: https://www.rfc-editor.org/rfc/rfc9110#section-5.5 */
const INVALID_IN_VALUE = /[^\t\x20-\x7e\x80-\xff]/;

/** False if a response with the header could not be sent, or the value could end its header. */
export function isHeaderValue(value: string): boolean {
  return !INVALID_IN_VALUE.test(value);
}

/** @returns the value @throws Error if it contains a character that could end its header */
export function checkHeaderValue(value: string): string {
  if (!isHeaderValue(value)) throw new Error('Invalid character in the value of a header');
  return value;
}
