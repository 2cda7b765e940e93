import { Buffer } from 'node:buffer';
import type { HttpProvider } from '../provider.ts';
import { completionAddress, providerHeaders } from '../provider-request.ts';
import { createProviderTransports } from '../provider-transports.ts';
import { createHttp1Transport } from '../transport/http1/http1-transport.ts';
import type { UpstreamRequest, UpstreamTransport } from '../transport/transport.ts';
import { PROBE_MAX_BYTES, PROBE_TIMEOUT_MS, type ProbeOutcome } from './outcome.ts';

const PROMPT = 'Answer with the one word: yes';
/** Smallest limit that every provider accepts. */
const MAX_TOKENS = 16;

/** Requests a one-word completion with the api's transport and credential. */
export async function requestCompletion(provider: HttpProvider, model: string): Promise<ProbeOutcome> {
  const http = createHttp1Transport();
  const request = {
    ...completionAddress(provider, provider.dialect),
    headers: [...Object.entries(providerHeaders(provider)).flat(), 'content-type', 'application/json'],
    body: Buffer.from(JSON.stringify({ model, ...bodyOf(provider) })),
    timeouts: {
      connectMs: provider.timeouts?.connectMs ?? PROBE_TIMEOUT_MS,
      firstByteMs: PROBE_TIMEOUT_MS,
      idleMs: PROBE_TIMEOUT_MS,
      totalMs: PROBE_TIMEOUT_MS,
    },
  };
  try {
    return await send(createProviderTransports(http).of(provider), request);
  } finally {
    await http.close();
  }
}

function bodyOf({ dialect, quirks }: HttpProvider): Record<string, unknown> {
  const messages = [{ role: 'user', content: PROMPT }];
  switch (dialect) {
    case 'openai-chat':
      return { [quirks.maxTokensMember]: MAX_TOKENS, messages };
    case 'anthropic-messages':
      return { max_tokens: MAX_TOKENS, messages };
    case 'openai-responses':
      return { max_output_tokens: MAX_TOKENS, input: PROMPT, store: false };
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
      onError: (fault) => resolve({ ok: false, url, fault }),
    });
  });
}
