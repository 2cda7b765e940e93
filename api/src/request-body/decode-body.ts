import type { Buffer } from 'node:buffer';
import { deny, type Result } from '@tollgate/core/errors/errors';

// A second byte order mark is invalid JSON, and must not be stripped here.
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The text of a body. @returns `invalid_json` if it is not UTF-8 */
export function decodeUtf8(body: Buffer): Result<string> {
  // Invalid bytes become U+FFFD, which is rare in requests: only then is a strict check needed.
  const text = body.toString('utf8');
  if (!text.includes('\ufffd')) return { ok: true, value: text };
  try {
    return { ok: true, value: utf8.decode(body) };
  } catch {
    return deny('invalid_json', 'The request body is not valid UTF-8.');
  }
}

/** JSON readers may ignore it, but it must not be sent (https://www.rfc-editor.org/rfc/rfc8259#section-8.1). */
export function withoutByteOrderMark(body: Buffer): Buffer {
  return body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? body.subarray(3) : body;
}
