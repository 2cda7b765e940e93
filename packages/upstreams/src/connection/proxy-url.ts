/** A proxy address as entered: `http://user:password@proxy.example:3128`; without a scheme it is http, as for curl. */
export function parseProxyUrl(text: string): { ok: true; url: string } | { ok: false; reason: string } {
  const trimmed = text.trim();
  const url = URL.parse(trimmed.includes('://') ? trimmed : `http://${trimmed}`);
  // The reason must not quote the text, which may contain a password.
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:') || url.hostname === '')
    return { ok: false, reason: 'must be an http or https URL such as http://proxy.example.com:3128' };
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '')
    return { ok: false, reason: 'must have no path, query or fragment' };
  if (!isDecodable(url.username) || !isDecodable(url.password))
    return { ok: false, reason: 'must have its user name and password percent-encoded' };
  return { ok: true, url: url.href };
}

function isDecodable(text: string): boolean {
  try {
    return decodeURIComponent(text) !== null;
  } catch {
    return false;
  }
}

/** The address without its user name and password: `http://***@proxy.example:3128`. */
export function redactProxyUrl(text: string): string {
  const url = new URL(text);
  const user = url.username === '' && url.password === '' ? '' : '***@';
  return `${url.protocol}//${user}${url.host}`;
}
