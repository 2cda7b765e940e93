import { z } from 'zod';

/** Longer links are cut by chat apps and mail programs. */
const MOST_CHARACTERS = 8_000;
const PREFIX = '#share=';

const sharedSchema = z.object({
  prompt: z.string().default(''),
  system: z.string().default(''),
  tools: z.string().default(''),
});

/** What a link contains besides the settings in its URL. It is in the fragment, which browsers do not send to servers. */
export type SharedPrompt = z.infer<typeof sharedSchema>;

/** @returns the fragment; null if it would be too long, or contains the key */
export function encodeShare(shared: SharedPrompt, secret: string | null): string | null {
  const json = JSON.stringify(Object.fromEntries(Object.entries(shared).filter(([, text]) => text !== '')));
  if (secret !== null && secret !== '' && json.includes(secret)) return null;
  const fragment = PREFIX + toBase64Url(json);
  return fragment.length > MOST_CHARACTERS ? null : fragment;
}

/** @returns 'none' if the fragment is not from a shared link, 'broken' if it cannot be read */
export function decodeShare(fragment: string): SharedPrompt | 'none' | 'broken' {
  if (!fragment.startsWith(PREFIX)) return 'none';
  if (fragment.length > MOST_CHARACTERS) return 'broken';
  try {
    const parsed = sharedSchema.safeParse(JSON.parse(fromBase64Url(fragment.slice(PREFIX.length))));
    return parsed.success ? parsed.data : 'broken';
  } catch {
    return 'broken';
  }
}

function toBase64Url(text: string): string {
  const binary = Array.from(new TextEncoder().encode(text), (byte) => String.fromCodePoint(byte)).join('');
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

function fromBase64Url(text: string): string {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return new TextDecoder('utf-8', { fatal: true }).decode(
    Uint8Array.from(binary, (character) => character.codePointAt(0) ?? 0),
  );
}
