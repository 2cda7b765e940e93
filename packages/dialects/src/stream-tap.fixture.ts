import { Buffer } from 'node:buffer';
import type { Passage } from './tap-options.ts';

/** What a tap has let through, one character for each byte. */
export function getText(passed: Passage | readonly Passage[] | null): string {
  if (passed === null) return '';
  if (typeof passed === 'string') return passed;
  return 'add' in passed
    ? Buffer.concat(passed.pieces()).toString('latin1')
    : passed.map((each) => getText(each)).join('');
}
