import { createHmac } from 'node:crypto';

const SECRET = 'of the fake model';

/** Signs reasoning of the model; `place` is its position in the turn: `0/2`. */
export function sealThought(text: string, place: string): string {
  const signature = createHmac('sha256', SECRET).update(`${place}\n${text}`).digest();
  return Buffer.concat([Buffer.from(`${place}\n`), signature]).toString('base64');
}

/** True if the signature is valid for the text. */
export function isSealed(text: string, seal: unknown): boolean {
  return typeof seal === 'string' && sealThought(text, placeOf(seal)) === seal;
}

/** Reasoning that only the model can read. */
export function hideThought(text: string, place: string): string {
  return `${Buffer.from(text).toString('base64')}.${sealThought(text, place)}`;
}

/** @returns null if it was changed */
export function findHiddenThought(data: unknown): { text: string; place: string } | null {
  if (typeof data !== 'string') return null;
  const [encoded, seal] = data.split('.');
  const text = Buffer.from(encoded ?? '', 'base64').toString('utf8');
  return isSealed(text, seal) ? { text, place: placeOf(seal ?? '') } : null;
}

/** The place in a signature: `0/2`. */
export function placeOf(seal: string): string {
  return Buffer.from(seal, 'base64').toString('latin1').split('\n')[0] ?? '';
}

/** Adds a checksum word to unsigned reasoning, to detect changes. */
export function markThought(text: string): string {
  return `${text} #${sealThought(text, 'mark').slice(-12, -4)}`;
}

/** @returns the text without its checksum; null if it was changed */
export function findMarkedThought(marked: unknown): string | null {
  if (typeof marked !== 'string') return null;
  const text = marked.slice(0, marked.lastIndexOf(' #'));
  return markThought(text) === marked ? text : null;
}
