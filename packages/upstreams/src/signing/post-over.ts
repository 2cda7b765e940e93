import { Buffer } from 'node:buffer';
import { DEFAULT_TIMEOUTS, type UpstreamTransport } from '../transport/transport.ts';

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 1024 * 1024;

/** A POST as by `fetch`, over a transport. @throws Error if there is no response, or a large one */
export async function postOver(
  transport: UpstreamTransport,
  url: string,
  init: RequestInit | undefined,
): Promise<Response> {
  const request = new Request(url, { ...init, method: 'POST' });
  const { origin, pathname, search } = new URL(url);
  const headers = [...request.headers].filter(([name]) => name !== 'content-length').flat();
  const body = Buffer.from(await request.arrayBuffer());
  return new Promise((resolve, reject) => {
    let status = 0;
    let type = 'application/json';
    let bytes = 0;
    const chunks: Buffer[] = [];
    const call = transport.send(
      {
        origin,
        path: `${pathname}${search}`,
        headers,
        body,
        timeouts: { ...DEFAULT_TIMEOUTS, firstByteMs: TIMEOUT_MS, totalMs: TIMEOUT_MS },
      },
      {
        onStart: (answered, header) => {
          status = answered;
          type = header('content-type') ?? type;
        },
        onData: (chunk) => {
          bytes += chunk.length;
          chunks.push(chunk);
          if (bytes <= MAX_BYTES) return;
          call.abort();
          reject(new Error('the response is too large'));
        },
        onEnd: () => {
          const content = status === 204 || status === 304 ? null : new Uint8Array(Buffer.concat(chunks));
          resolve(new Response(content, { status, headers: { 'content-type': type } }));
        },
        onError: ({ detail, proxy }) =>
          reject(new Error(proxy === undefined ? detail : `${detail} (forward proxy ${proxy})`)),
      },
    );
  });
}
