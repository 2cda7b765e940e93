import { Buffer } from 'node:buffer';
import { computeShortHash } from './short-hash.ts';

/**
 * Gemini signs a call of a tool, and refuses the next turn without that signature
 * (https://ai.google.dev/gemini-api/docs/thought-signatures). Only a call's id is certain to be returned by every
 * dialect and every client, since the result of the call names it: so the signature travels inside the id, in characters
 * that all dialects take, and nothing is kept here. Encoders take it out again.
 */
const BASE64_MARK = '--sig1-';
const TEXT_MARK = '--sig0-';
/** Precedes the whole id of a provider, after a readable form of it. */
const ID_MARK = '--id1-';
const UNUSUAL = /[^a-zA-Z0-9_-]/g;
/** The ids with one of these carry something. */
export const CALL_ID_MARKS: readonly string[] = ['--sig', ID_MARK];

/** How the ids of Kimi's calls begin in a body: `functions.search:0`. */
export const KIMI_ID_MARK = '"functions.';

/** The id of a call that also carries its signature. */
export function packCallId(id: string, signature: string): string {
  const isBase64 = Buffer.from(signature, 'base64').toString('base64') === signature;
  const bytes = Buffer.from(signature, isBase64 ? 'base64' : 'utf8');
  return id + (isBase64 ? BASE64_MARK : TEXT_MARK) + bytes.toString('base64url');
}

/**
 * An id in the characters that the Messages API takes. It carries the id of a provider that uses others:
 * `functions.add:0`.
 */
export function toPlainCallId(id: string): string {
  const plain = id.replace(UNUSUAL, '_');
  return plain === id ? id : `${plain}${ID_MARK}${Buffer.from(id).toString('base64url')}`;
}

/** @returns the id that a plain id carries; null if it carries none */
function findCarriedId(plain: string): string | null {
  const at = plain.lastIndexOf(ID_MARK);
  if (at < 0) return null;
  const id = Buffer.from(plain.slice(at + ID_MARK.length), 'base64url').toString('utf8');
  return toPlainCallId(id) === plain ? id : null;
}

/** @returns the id as its provider gave it; the signature is null if it carries none */
export function unpackCallId(given: string): { id: string; signature: string | null } {
  const packed = findCarriedId(given) ?? given;
  const base64At = packed.indexOf(BASE64_MARK);
  if (base64At >= 0) {
    const bytes = Buffer.from(packed.slice(base64At + BASE64_MARK.length), 'base64url');
    return { id: packed.slice(0, base64At), signature: bytes.toString('base64') };
  }
  const textAt = packed.indexOf(TEXT_MARK);
  if (textAt < 0) return { id: packed, signature: null };
  const bytes = Buffer.from(packed.slice(textAt + TEXT_MARK.length), 'base64url');
  return { id: packed.slice(0, textAt), signature: bytes.toString('utf8') };
}

const SHORT_ID = /^[a-zA-Z0-9]{9}$/;

/**
 * An id of nine letters and digits, which is all that Mistral takes. The same id always becomes the same one, so a call and
 * its result still belong together; one that fits stays as it is.
 */
export function toShortCallId(id: string): string {
  return SHORT_ID.test(id) ? id : computeShortHash(id);
}

/** An id of at most `maxLength` characters, 14 or more: unchanged, or, if it is longer, a hash of it. */
export function toBoundedCallId(id: string, maxLength: number): string {
  return id.length <= maxLength ? id : `call_${computeShortHash(id)}`;
}
