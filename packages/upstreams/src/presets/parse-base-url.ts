const ENDPOINT = /\/(chat\/completions|messages|responses|models)$/;

/**
 * Reads the address of a provider as an operator types it.
 * @returns it without a slash at the end, or what is wrong with it, in words that follow "it"
 */
export function parseBaseUrl(text: string): { ok: true; baseUrl: string } | { ok: false; reason: string } {
  const url = URL.parse(text.trim());
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    return { ok: false, reason: 'must be an http(s) URL such as https://api.openai.com/v1' };
  if (url.search !== '' || url.hash !== '')
    return { ok: false, reason: 'must have no query and no fragment' };
  if (url.username !== '' || url.password !== '')
    return { ok: false, reason: 'must carry no credential: that is given apart' };
  const baseUrl = `${url.origin}${url.pathname}`.replace(/\/+$/, '');
  const endpoint = ENDPOINT.exec(baseUrl);
  if (endpoint !== null)
    return {
      ok: false,
      reason: `must be what comes before the endpoint: ${baseUrl.slice(0, endpoint.index)}`,
    };
  return { ok: true, baseUrl };
}
