import { hashText } from '@tollgate/core/runtime/hash-text';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const LENGTH = 9;

/** Nine letters and digits that represent a text, which may be long: the same text always has the same ones. */
export function computeShortHash(text: string): string {
  let rest = hashText(text);
  let short = '';
  while (short.length < LENGTH) {
    short += ALPHABET.charAt(rest % ALPHABET.length);
    rest = Math.floor(rest / ALPHABET.length);
  }
  return short;
}
