const PRODUCT = /^([A-Za-z][\w.-]{0,19})(?:\/([A-Za-z][\w.-]{0,18}))?/;

/**
 * Finds the family of a client from the `user-agent` header, without the version: `claude-cli/2.1 (external)` is `claude-cli`,
 * `OpenAI/Python 1.99` is `OpenAI/Python`.
 * @returns at most 40 characters; `other` if the header is missing or has no product name
 */
export function clientFamily(userAgent: string | null): string {
  const [, product, part] = PRODUCT.exec(userAgent ?? '') ?? [];
  if (product === undefined) return 'other';
  return part === undefined || /^v\d/i.test(part) ? product : `${product}/${part}`;
}
