import { Buffer } from 'node:buffer';
import type { HttpProvider } from '../provider.ts';
import { completionAddress, providerHeaders } from '../provider-request.ts';
import type { ProbeOutcome } from './outcome.ts';
import { sendProbe } from './send-probe.ts';

const PROMPT = 'Answer with the one word: yes';
/** Smallest limit that every provider accepts. */
const MAX_TOKENS = 16;

/** Requests a one-word completion with the api's transport and credential. */
export async function requestCompletion(provider: HttpProvider, model: string): Promise<ProbeOutcome> {
  return sendProbe(provider, {
    ...completionAddress(provider, provider.dialect),
    headers: [...Object.entries(providerHeaders(provider)).flat(), 'content-type', 'application/json'],
    body: Buffer.from(JSON.stringify({ model, ...getBody(provider) })),
  });
}

function getBody({ dialect, quirks }: HttpProvider): Record<string, unknown> {
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
