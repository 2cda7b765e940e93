/**
 * The time to encode a run without a break, such as a million times the letter a, grows with the square of its length:
 * 8,000 letters take 0.3 s, 200,000 take 30 s. Nothing longer than this is ever encoded in one piece.
 */
const MAX_SLICE_CHARACTERS = 256;

/** Cuts a text before spaces, where a token ends anyway; a run without spaces is cut at the limit. */
export function* sliceText(text: string): Generator<string> {
  let start = 0;
  while (text.length - start > MAX_SLICE_CHARACTERS) {
    const limit = start + MAX_SLICE_CHARACTERS;
    const space = text.lastIndexOf(' ', limit);
    const end = space > start ? space : limit;
    yield text.slice(start, end);
    start = end;
  }
  if (start < text.length) yield text.slice(start);
}
