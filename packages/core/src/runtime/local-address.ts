/** Maps a listen host to the host to connect to: `0.0.0.0` is `127.0.0.1`, `::` is `[::1]`. */
function connectHost(listenHost: string): string {
  if (listenHost === '0.0.0.0') return '127.0.0.1';
  if (listenHost === '::') return '[::1]';
  return listenHost.includes(':') ? `[${listenHost}]` : listenHost;
}

/** URL of a service on this machine, without a trailing slash: `http://127.0.0.1:3000`. */
export function localUrl(listenHost: string, port: number): string {
  return `http://${connectHost(listenHost)}:${port}`;
}
