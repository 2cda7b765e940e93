const PRODUCT = /^([A-Za-z][\w.-]{0,19})(?:\/([A-Za-z][\w.-]{0,18}))?/;
/** At most four numbers after the family: `/2.1.332`, ` 1.99.1`, `/v8`. */
const VERSION = /^[/ ]v?(\d{1,6}(?:\.\d{1,6}){0,3})(?!\d)/i;

/**
 * Finds the family of a client from the `user-agent` header, without the version: `claude-cli/2.1 (external)` is `claude-cli`,
 * `OpenAI/Python 1.99` is `OpenAI/Python`.
 * @returns at most 40 characters; `other` if the header is missing or has no product name
 */
export function clientFamily(userAgent: string | null): string {
  return findFamily(userAgent ?? '') ?? 'other';
}

/**
 * Finds the family and the version of a client: `claude-cli/2.1.332 (external, cli)` is `claude-cli 2.1.332`. The rest of the
 * header, which can be any text, is left out.
 * @returns at most 68 characters; null if the header is missing or has no product name
 */
export function describeClient(userAgent: string | null): string | null {
  if (userAgent === null) return null;
  const family = findFamily(userAgent);
  if (family === null) return null;
  const version = VERSION.exec(userAgent.slice(family.length, family.length + 32))?.[1];
  return version === undefined ? family : `${family} ${version}`;
}

function findFamily(userAgent: string): string | null {
  const [, product, part] = PRODUCT.exec(userAgent) ?? [];
  if (product === undefined) return null;
  return part === undefined || /^v\d/i.test(part) ? product : `${product}/${part}`;
}
