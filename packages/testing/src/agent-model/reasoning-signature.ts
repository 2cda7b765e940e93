import { createHmac } from 'node:crypto';

const SECRET = 'of the fake model';

/** Signs reasoning of the model; `place` is its position in the turn: `0/2`. */
export function signReasoning(text: string, place: string): string {
  const signature = createHmac('sha256', SECRET).update(`${place}\n${text}`).digest();
  return Buffer.concat([Buffer.from(`${place}\n`), signature]).toString('base64');
}

/** True if the signature is valid for the text. */
export function isSigned(text: string, signature: unknown): boolean {
  return typeof signature === 'string' && signReasoning(text, findPlace(signature)) === signature;
}

/** Reasoning that only the model can read. */
export function hideReasoning(text: string, place: string): string {
  return `${Buffer.from(text).toString('base64')}.${signReasoning(text, place)}`;
}

/** @returns null if it was changed */
export function findHiddenReasoning(data: unknown): { text: string; place: string } | null {
  if (typeof data !== 'string') return null;
  const [encoded, signature] = data.split('.');
  const text = Buffer.from(encoded ?? '', 'base64').toString('utf8');
  return isSigned(text, signature) ? { text, place: findPlace(signature ?? '') } : null;
}

/** The place in a signature: `0/2`. */
export function findPlace(signature: string): string {
  return Buffer.from(signature, 'base64').toString('latin1').split('\n')[0] ?? '';
}

/** Adds a checksum word to unsigned reasoning, to detect changes. */
export function markReasoning(text: string): string {
  return `${text} #${signReasoning(text, 'mark').slice(-12, -4)}`;
}

/** @returns the text without its checksum; null if it was changed */
export function findMarkedReasoning(marked: unknown): string | null {
  if (typeof marked !== 'string') return null;
  const text = marked.slice(0, marked.lastIndexOf(' #'));
  return markReasoning(text) === marked ? text : null;
}
