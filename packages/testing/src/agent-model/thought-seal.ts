import { createHmac } from 'node:crypto';

const SECRET = 'of the fake model';

/** A proof that the model itself thought a text; `place` says where among the thoughts of its turn: `0/2`. */
export function sealThought(text: string, place: string): string {
  const proof = createHmac('sha256', SECRET).update(`${place}\n${text}`).digest();
  return Buffer.concat([Buffer.from(`${place}\n`), proof]).toString('base64');
}

/** True for the very text and the very proof. */
export function isSealed(text: string, seal: unknown): boolean {
  return typeof seal === 'string' && sealThought(text, placeOf(seal)) === seal;
}

/** A thought that only the model can read. */
export function hideThought(text: string, place: string): string {
  return `${Buffer.from(text).toString('base64')}.${sealThought(text, place)}`;
}

/** @returns null where it was changed */
export function findHiddenThought(data: unknown): { text: string; place: string } | null {
  if (typeof data !== 'string') return null;
  const [encoded, seal] = data.split('.');
  const text = Buffer.from(encoded ?? '', 'base64').toString('utf8');
  return isSealed(text, seal) ? { text, place: placeOf(seal ?? '') } : null;
}

/** The place that a proof was given for: `0/2`. */
export function placeOf(seal: string): string {
  return Buffer.from(seal, 'base64').toString('latin1').split('\n')[0] ?? '';
}

/** Thought that comes without a proof of its own shows in its last word whether it was changed. */
export function markThought(text: string): string {
  return `${text} #${sealThought(text, 'mark').slice(-12, -4)}`;
}

/** @returns the text that was marked; null where it was changed */
export function findMarkedThought(marked: unknown): string | null {
  if (typeof marked !== 'string') return null;
  const text = marked.slice(0, marked.lastIndexOf(' #'));
  return markThought(text) === marked ? text : null;
}
