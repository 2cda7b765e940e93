import type { Buffer } from 'node:buffer';

const MINUS = 0x2d;
const POINT = 0x2e;
const LOWER_E = 0x65;

/** Properties of a number's text that readers disagree on. */
export interface NumberForm {
  end: number;
  /** It has a fraction or an exponent: `5.0`, `1e2`. */
  isFloat: boolean;
}

/**
 * Finds the end of a JSON number. What is no number is for `JSON.parse` to refuse.
 * @param form is filled in
 */
export function readNumber(json: Buffer, start: number, form: NumberForm): void {
  let at = start;
  let isFloat = false;
  for (;;) {
    const byte = json[at] ?? 0;
    const isDigit = byte >= 0x30 && byte <= 0x39;
    if (!isDigit) {
      if (byte === POINT || (byte | 0x20) === LOWER_E) isFloat = true;
      else if (byte !== MINUS && byte !== 0x2b) break;
    }
    at += 1;
  }
  form.end = at;
  form.isFloat = isFloat;
}
