import type { Buffer } from 'node:buffer';
import { listQuotes } from '@tollgate/dialects/forbidden-cause';

/** A larger body is not searched, which would block the event loop. */
const MAX_SEARCHED_BYTES = 1024 * 1024;
/** Letters and digits of a run that is no coincidence. */
const RUN_LENGTH = 16;
/** Letters and digits between quotation marks. */
const MIN_QUOTE_LENGTH = 4;

/**
 * True if a provider's message may repeat text of the request. Case, punctuation and escapes do not matter.
 * @param request.names names of the model, which are recorded with the request anyway
 * @returns null if the body is too large to be searched
 */
export function repeatsRequest(
  message: string,
  { body, names }: { body: Buffer; names: readonly string[] },
): boolean | null {
  if (body.length > MAX_SEARCHED_BYTES) return null;
  const own = names.reduce((text, name) => (name === '' ? text : text.replaceAll(name, ' ')), message);
  const text = toLetters(body.toString('utf8'));
  const quotes = listQuotes(own).map(toLetters);
  if (quotes.some((quote) => quote.length >= MIN_QUOTE_LENGTH && text.includes(quote))) return true;
  const said = toLetters(own);
  for (let at = 0; at + RUN_LENGTH <= said.length; at += RUN_LENGTH / 2)
    if (text.includes(said.slice(at, at + RUN_LENGTH))) return true;
  return false;
}

/**
 * Letters and digits in lower case; escapes of JSON are resolved, also if a text was escaped several times. A match begins only
 * at the first backslash of a run: callers choose its length.
 */
function toLetters(text: string): string {
  return text
    .replaceAll(/(?<!\\)\\+u([0-9a-f]{4})/gi, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    )
    .replaceAll(/(?<!\\)\\+[bfnrt]/g, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '')
    .toLowerCase();
}
