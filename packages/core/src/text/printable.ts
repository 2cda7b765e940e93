/** Control characters, line breaks, text-direction marks and other characters without a width. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
const ALL_UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** True for one line that shows what it contains. */
export function isPrintable(text: string): boolean {
  return !UNPRINTABLE.test(text);
}

/** Leaves out what {@link isPrintable} refuses. */
export function toPrintable(text: string): string {
  return text.replaceAll(ALL_UNPRINTABLE, '');
}

/** True if PostgreSQL can store every text in a value: it refuses U+0000 and, in `jsonb`, half of a character. */
export function isStorable(value: unknown): boolean {
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next === 'string') {
      if (next.includes('\0') || !next.isWellFormed()) return false;
    } else if (typeof next === 'object' && next !== null) {
      for (const [name, member] of Object.entries(next)) open.push(name, member);
    }
  }
  return true;
}
