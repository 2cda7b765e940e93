import { Buffer } from 'node:buffer';

/** A masked key: `sk-…abcd`, `in***ey`, `abc••••xyz`. It starts only at the beginning of a run, which takes linear time. */
const MASK = String.raw`(?:(?<!\*)\*{2,}|(?<!\.)\.{2,}|(?<!\u2026)\u2026+|(?<!\u2022)\u2022{2,})`;
/** Maximum length of a masked key before the mask. */
const SHOWN_START = 3;
const SHOWN_END = 4;
/** Shorter parts of a secret are words, or say nothing of it. */
const MIN_PART_LENGTH = 12;
/** A part without one may be a word, such as the start of `application/json`. */
const KEY_CHARACTER = /[A-Z0-9]/;

/**
 * A pattern for one secret in every form that a provider may repeat: in any case, percent-encoded, escaped for JSON or
 * HTML (also twice), in base64 at any offset, in hexadecimal, masked in the middle, or cut at its end or at its start.
 */
export function getPattern(secret: string): RegExp {
  const [first = '', ...rest] = Array.from(secret);
  // A long run of backslashes in front of a secret is not searched again from each of them.
  const literal = escapedForms(first, START_SLASHES) + rest.map((each) => escapedForms(each)).join('');
  const hex = Buffer.from(secret, 'utf8').toString('hex');
  const forms = [
    literal,
    hex,
    ...base64Forms(secret).map(escapeRegExp),
    ...partForms(secret),
    ...maskedForms(secret),
  ];
  return new RegExp(forms.join('|'), 'gi');
}

const SLASHES = String.raw`\\{1,8}`;
const START_SLASHES = String.raw`(?:(?<!\\)\\{1,8}|\\)`;

/** One character, literal or in the escapes of URLs, JSON and HTML. @param slashes in front of it */
function escapedForms(character: string, slashes = SLASHES): string {
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  const forms = [
    `(?:${slashes})?${escapeRegExp(character)}`,
    `${slashes}u${hex.padStart(4, '0')}`,
    `&#(?:x0{0,8}${hex}|0{0,8}${code});`,
    [...Buffer.from(character, 'utf8')]
      .map((byte) => `%(?:25){0,4}${byte.toString(16).padStart(2, '0')}`)
      .join(''),
    ...(NAMED[character] ?? []),
  ];
  return `(?:${forms.join('|')})`;
}

const NAMED: Readonly<Record<string, readonly string[]>> = {
  ' ': [String.raw`\+`],
  '\n': [String.raw`\\{1,8}n`],
  '&': ['&amp;'],
  '<': ['&lt;'],
  '>': ['&gt;'],
  '"': ['&quot;'],
};

/**
 * The common part of base64 of all texts with the secret: three alignments, without the characters at the borders, which
 * depend on adjacent text.
 */
function base64Forms(secret: string): string[] {
  const bytes = Buffer.from(secret, 'utf8');
  return [0, 1, 2].flatMap((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replaceAll('=', '');
    const first = Math.ceil((before * 8) / 6);
    const end = Math.floor(((before + bytes.length) * 8) / 6);
    const core = encoded.slice(first, end);
    const url = core.replaceAll('+', '-').replaceAll('/', '_');
    return core === url ? [core] : [core, url];
  });
}

/** The secret cut anywhere behind its start or before its end, with what is left of it: `<first 32>...`, `...<last 20>`. */
function partForms(secret: string): string[] {
  const special = [...new Set(secret.replaceAll(/[\w\s"'-]/g, ''))].map(escapeRegExp).join('');
  const token = String.raw`[\w${special}-]`;
  const start = lengthOfPart(Array.from(secret));
  const end = lengthOfPart(Array.from(secret).toReversed());
  return [
    ...(start === null ? [] : [`${escapeRegExp(secret.slice(0, start))}${token}*`]),
    // It starts only at the beginning of a run, which takes linear time.
    ...(end === null ? [] : [`(?<!${token})${token}*${escapeRegExp(secret.slice(-end))}`]),
  ];
}

/** @returns in UTF-16 code units; null: no part of the secret looks like a key */
function lengthOfPart(characters: readonly string[]): number | null {
  const last = characters.findIndex((_each, at) => at >= MIN_PART_LENGTH - 1 && isKeyLike(characters, at));
  return last < 0 ? null : characters.slice(0, last + 1).join('').length;
}

function isKeyLike(characters: readonly string[], last: number): boolean {
  return characters.slice(0, last + 1).some((each) => KEY_CHARACTER.test(each));
}

function maskedForms(secret: string): string[] {
  const start = escapeRegExp(secret.slice(0, SHOWN_START));
  const end = escapeRegExp(secret.slice(-SHOWN_END));
  return [
    String.raw`(?<![\w-])${start}[\w-]{0,16}${MASK}[\w-]*`,
    String.raw`(?<=\bend(?:s|ing)? (?:in|with) \W{0,2})${end}`,
    String.raw`${MASK}${end}(?![\w-])`,
  ];
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`);
}
