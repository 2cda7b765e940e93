import { Buffer } from 'node:buffer';
import type { HttpProvider } from '../provider.ts';
import { getAddress, providerHeaders } from '../provider-request.ts';
import type { ProbeOutcome } from './outcome.ts';
import { sendProbe } from './send-probe.ts';

/** Lists a provider's models, which is free. */
export function requestModels(provider: HttpProvider): Promise<ProbeOutcome> {
  return sendProbe(provider, {
    method: 'GET',
    ...getAddress(provider, '/models'),
    headers: Object.entries(providerHeaders(provider)).flat(),
    body: Buffer.alloc(0),
  });
}
