import type { HttpProvider } from '../provider.ts';
import { addressOf, providerHeaders } from '../provider-request.ts';
import type { UpstreamFault } from '../transport/transport.ts';
import { PROBE_TIMEOUT_MS, type ProbeOutcome } from './outcome.ts';

const CONNECT_CODES = ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT'];

/** Lists a provider's models, which is free. */
export async function requestModels(provider: HttpProvider): Promise<ProbeOutcome> {
  const { origin, path } = addressOf(provider, '/models');
  const url = `${origin}${path}`;
  try {
    const response = await fetch(url, {
      headers: providerHeaders(provider),
      redirect: 'manual',
      signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
    });
    return { ok: true, url, status: response.status, body: await response.text() };
  } catch (error) {
    return { ok: false, url, fault: faultOf(error) };
  }
}

/** fetch puts the reason in the cause of its error. */
function faultOf(error: unknown): Pick<UpstreamFault, 'kind' | 'detail'> {
  if (!(error instanceof Error)) return { kind: 'cut', detail: String(error) };
  if (error.name === 'TimeoutError') return { kind: 'timeout', detail: error.message };
  const cause = error.cause instanceof Error ? error.cause : error;
  const code = 'code' in cause ? String(cause.code) : '';
  const detail = code === '' ? cause.message : `${code}: ${cause.message}`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return { kind: 'dns', detail };
  if (CONNECT_CODES.includes(code)) return { kind: 'connect', detail };
  return { kind: /CERT|TLS|SSL|SIGNED|EPROTO/.test(code) ? 'tls' : 'cut', detail };
}
