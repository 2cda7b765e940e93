import { Buffer } from 'node:buffer';
import type { HttpProvider } from '../provider.ts';
import { createProviderTransports } from '../provider-transports.ts';
import { createHttp1Transport } from '../transport/http1/http1-transport.ts';
import type { UpstreamRequest, UpstreamTransport } from '../transport/transport.ts';
import { PROBE_MAX_BYTES, PROBE_TIMEOUT_MS, type ProbeOutcome } from './outcome.ts';

/** Sends a request of a provider test over the transport that the api uses for the provider. */
export async function sendProbe(
  provider: HttpProvider,
  request: Omit<UpstreamRequest, 'timeouts'>,
): Promise<ProbeOutcome> {
  const transports = createProviderTransports(createHttp1Transport());
  const timeouts = {
    connectMs: provider.timeouts?.connectMs ?? PROBE_TIMEOUT_MS,
    firstByteMs: PROBE_TIMEOUT_MS,
    idleMs: PROBE_TIMEOUT_MS,
    totalMs: PROBE_TIMEOUT_MS,
  };
  try {
    return await send(transports.of(provider), { ...request, timeouts });
  } finally {
    await transports.close();
  }
}

function send(transport: UpstreamTransport, request: UpstreamRequest): Promise<ProbeOutcome> {
  const url = `${request.origin}${request.path}`;
  return new Promise((resolve) => {
    let status = 0;
    const chunks: Buffer[] = [];
    let bytes = 0;
    const answered = () => resolve({ ok: true, url, status, body: Buffer.concat(chunks).toString('utf8') });
    const call = transport.send(request, {
      onStart: (answeredStatus) => {
        status = answeredStatus;
      },
      onData: (chunk) => {
        // The transport may reuse the buffer.
        chunks.push(Buffer.from(chunk));
        bytes += chunk.length;
        if (bytes <= PROBE_MAX_BYTES) return;
        call.abort();
        answered();
      },
      onEnd: answered,
      onError: (failure) => resolve({ ok: false, url, failure }),
    });
  });
}
