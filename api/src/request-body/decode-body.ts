import type { Buffer } from 'node:buffer';
import { deny, type Result } from '@tollgate/core/errors/errors';

// A second byte order mark is not JSON, and must not vanish here.
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The text of a body. @returns `invalid_json` if it is not UTF-8 */
export function decodeUtf8(body: Buffer): Result<string> {
  // Invalid bytes become U+FFFD, which hardly any request holds: only then does it pay to look closer.
  const text = body.toString('utf8');
  if (!text.includes('\ufffd')) return { ok: true, value: text };
  try {
    return { ok: true, value: utf8.decode(body) };
  } catch {
    return deny('invalid_json', 'The request body is not valid UTF-8.');
  }
}

/** It may be ignored, and must not be sent on (https://www.rfc-editor.org/rfc/rfc8259#section-8.1). */
export function withoutByteOrderMark(body: Buffer): Buffer {
  return body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? body.subarray(3) : body;
}
