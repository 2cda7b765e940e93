import { z } from 'zod';

/** Shorter texts match too much. */
export const SEARCH_TEXT_MIN = 2;
const SEARCH_TEXT_MAX = 100;

/** The displayed part of an API key: enough to find it. */
interface KeyEnds {
  prefix: string;
  last4: string;
}

const PREFIX_CHARS = 7;
/** A pasted credential, of this gateway or of a provider. */
const SECRET = /^sk-[\w-]{12,}$/;
const ENDS = /^(sk-\w{4})(?:…|\.{3})(\w{4})$/;

/** Shortens a pasted API key to its displayed part, so that the secret is neither sent nor stored. */
export function maskSearchText(typed: string): string {
  const text = typed.trim();
  if (SECRET.test(text)) return `${text.slice(0, PREFIX_CHARS)}…${text.slice(-4)}`;
  return text.slice(0, SEARCH_TEXT_MAX);
}

/** A text that the server searches. */
export const searchTextSchema = z
  .string()
  .max(1000)
  .transform(maskSearchText)
  .refine((text) => text.length >= SEARCH_TEXT_MIN, `Enter at least ${SEARCH_TEXT_MIN} characters`);

/** @returns null if the text is not the displayed part of a key, such as `sk-7Qb2…9fGh` */
export function parseKeyEnds(text: string): KeyEnds | null {
  const [, prefix, last4] = ENDS.exec(text) ?? [];
  return prefix === undefined || last4 === undefined ? null : { prefix, last4 };
}
