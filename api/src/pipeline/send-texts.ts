import type { Exchange } from '../exchange.ts';

/** Longer text is sent in pieces. */
const MAX_TEXT_LENGTH = 64 * 1024;

/** @returns false if the caller reads too slowly */
export function sendTexts(exchange: Exchange, texts: readonly string[]): boolean {
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  return length > MAX_TEXT_LENGTH
    ? exchange.writePieces(texts, () => undefined)
    : exchange.write(texts.join(''));
}
