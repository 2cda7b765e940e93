import type { StoredKind } from './stored-ids.ts';

/** Hosts that only the provider's own network reaches, as URLs are normalized: decimal and hexadecimal IPv4 are dotted. */
const PRIVATE_HOST =
  /^(?:(?:0|10|127)\.|169\.254\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.)|^\[(?:::(?:1?\]|ffff:)|f[cd]|fe[89ab])|^(?:.+\.)?(?:localhost|local|internal)\.?$/;
const DATA = /^data:/i;
const SCHEME = /^[a-z][a-z\d+.-]*:/i;
const LOCAL_PATH = /^[./\\~]/;
/** Uploads to the Gemini API have an address instead of an id (https://ai.google.dev/gemini-api/docs/files). */
const GEMINI_FILE = /^https?:\/\/generativelanguage\.googleapis\.com\/(?:.*\/)?files\//;

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
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'address';
  if (GEMINI_FILE.test(url.href)) return 'file';
  return PRIVATE_HOST.test(url.hostname) ? 'address' : null;
}
