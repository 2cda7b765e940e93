/** Odd constants of two hashes that are computed side by side, each in 32 bits. */
const FIRST = 0x85ebca77;
const SECOND = 0xc2b2ae3d;

/** A checksum of a text of ASCII characters, in letters and digits. It finds accidents, not attacks. */
export function checksum(text: string): string {
  let first = 0xdeadbeef;
  let second = 0x41c6ce57;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    first = Math.imul(first ^ code, FIRST);
    second = Math.imul(second ^ code, SECOND);
    first ^= first >>> 15;
    second ^= second >>> 13;
  }
  return (first >>> 0).toString(36).padStart(7, '0') + (second >>> 0).toString(36).padStart(7, '0');
}
