const ENDPOINT = /\/(chat\/completions|messages|responses|models)$/;

/**
 * Parses a provider's base URL as entered by an operator.
 * @returns the URL without a trailing slash, or an error message that follows "it"
 */
export function parseBaseUrl(text: string): { ok: true; baseUrl: string } | { ok: false; reason: string } {
  const url = URL.parse(text.trim());
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    return { ok: false, reason: 'must be an http(s) URL such as https://api.openai.com/v1' };
  if (url.search !== '' || url.hash !== '')
    return { ok: false, reason: 'must have no query and no fragment' };
  if (url.username !== '' || url.password !== '')
    return { ok: false, reason: 'must not contain a credential: enter it separately' };
  const baseUrl = `${url.origin}${url.pathname}`.replace(/\/+$/, '');
  const endpoint = ENDPOINT.exec(baseUrl);
  if (endpoint !== null)
    return {
      ok: false,
      reason: `must be what comes before the endpoint: ${baseUrl.slice(0, endpoint.index)}`,
    };
  return { ok: true, baseUrl };
}
