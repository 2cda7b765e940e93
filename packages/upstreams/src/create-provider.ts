import type { Dialect } from '@tollgate/core/dialect';
import type { ProviderCredential } from './credential/credential.ts';
import { COMPATIBLE_FLAVOUR } from './presets/compatible-flavour.ts';
import type { HttpProvider, KeyHeader } from './provider.ts';
import { DEFAULT_TIMEOUTS, type UpstreamTimeouts } from './transport/transport.ts';

/** A provider as it is stored, but for its credential. */
export interface ProviderSettings {
  id: string;
  name: string;
  preset: string | null;
  dialect: Dialect;
  baseUrl: string;
  settings: Readonly<Record<string, string>>;
  /** In milliseconds; null: the default. */
  connectTimeoutMs: number | null;
  firstByteTimeoutMs: number | null;
  idleTimeoutMs: number | null;
  totalTimeoutMs: number | null;
  maxConcurrency: number | null;
}

const KEY_HEADERS: Record<Dialect, KeyHeader> = {
  'openai-chat': 'authorization',
  'anthropic-messages': 'x-api-key',
};

/** A provider ready to be called, from how it is stored and its opened credential. */
export function createHttpProvider(stored: ProviderSettings, credential: ProviderCredential): HttpProvider {
  const { id, name, preset, dialect, baseUrl, settings, maxConcurrency } = stored;
  return {
    kind: 'http',
    id,
    name,
    preset,
    dialect,
    baseUrl,
    credential,
    settings,
    maxConcurrency,
    timeouts: timeoutsOf(stored),
    keyHeader: KEY_HEADERS[dialect],
    envelope: 'none',
    flavour: COMPATIBLE_FLAVOUR,
    endpoints: { countTokens: true, embeddings: true, responses: true, models: true },
  };
}

function timeoutsOf(stored: ProviderSettings): UpstreamTimeouts | null {
  const { connectTimeoutMs, firstByteTimeoutMs, idleTimeoutMs, totalTimeoutMs } = stored;
  const own = [connectTimeoutMs, firstByteTimeoutMs, idleTimeoutMs, totalTimeoutMs];
  if (own.every((timeoutMs) => timeoutMs === null)) return null;
  return {
    connectMs: connectTimeoutMs ?? DEFAULT_TIMEOUTS.connectMs,
    firstByteMs: firstByteTimeoutMs ?? DEFAULT_TIMEOUTS.firstByteMs,
    idleMs: idleTimeoutMs ?? DEFAULT_TIMEOUTS.idleMs,
    totalMs: totalTimeoutMs ?? DEFAULT_TIMEOUTS.totalMs,
  };
}
