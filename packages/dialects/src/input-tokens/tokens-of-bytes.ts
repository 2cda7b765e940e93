/** Roughly how many bytes of text or of JSON make one token. */
const BYTES_PER_TOKEN = 4;

/** How many tokens a text of so many bytes has, roughly. */
export function tokensOfBytes(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_TOKEN);
}
