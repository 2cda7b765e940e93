import { isPrivateHost } from '@tollgate/core/runtime/private-host';
import type { StoredKind } from './stored-ids.ts';

const DATA = /^data:/i;
const SCHEME = /^[a-z][a-z\d+.-]*:/i;
const MAX_SCHEME = 100;
/** Parsers of URLs skip blanks and control characters. */
const BLANK = 0x20;
const LOCAL_PATH = /^[./\\~]/;
/** Uploads to the Gemini API have an address instead of an id (https://ai.google.dev/gemini-api/docs/files). */
const GEMINI_HOST = /(?:^|\.)generativelanguage(?:\.[\w-]+)?\.googleapis\.com\.?$/;
const FILES = /\/files(?:[/:]|$)/i;

/**
 * Classifies an address of content that a provider fetches.
 * @returns `address` for what the provider reads with access that callers lack (`gs://`, `file:`, a host of the private network),
 *   `file` for an upload; null: anyone can fetch it, or it is the content
 */
export function storedKindOfAddress(given: unknown): StoredKind | null {
  if (typeof given !== 'string' || DATA.test(given)) return null;
  const url = URL.parse(given);
  if (url === null) {
    const address = given.trimStart();
    // Base64 without a scheme is content.
    return SCHEME.test(address) || LOCAL_PATH.test(address) ? 'address' : null;
  }
  if (url.protocol === 'data:') return null;
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'address';
  if (GEMINI_HOST.test(url.hostname) && FILES.test(decodePath(url.pathname))) return 'file';
  return isPrivateHost(url.hostname) ? 'address' : null;
}

/**
 * The same where the content itself is expected, as base64.
 * @returns null for all but addresses with a scheme
 */
export function storedKindOfContent(given: unknown): StoredKind | null {
  return hasScheme(given) ? storedKindOfAddress(given) : null;
}

/** True for an address instead of content as base64, which has no colon. */
export function hasScheme(given: unknown): given is string {
  if (typeof given !== 'string') return false;
  let start = 0;
  while (start < given.length && given.charCodeAt(start) <= BLANK) start += 1;
  return given.slice(start, start + MAX_SCHEME).includes(':');
}

/** As servers compare it. */
function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
