/** Roughly how many bytes of text or of JSON make one token. */
export const BYTES_PER_TOKEN = 4;

/** Rough number of tokens of a text of this size. */
export function tokensOfBytes(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_TOKEN);
}
