import type { Dialect } from '@tollgate/core/models/dialect';
import { buildContracts, type RequestContracts } from '@tollgate/dialects/contract/base-contracts';
import { dropped } from '@tollgate/dialects/contract/member-rule';
import { OWN_CLIENT, type ProviderConnections } from './connection/provider-connection.ts';
import type { ProviderCredential } from './credential/credential.ts';
import { COMPATIBLE_QUIRKS } from './presets/compatible-quirks.ts';
import type { ProviderPreset } from './presets/preset.ts';
import { findPreset } from './presets/presets.ts';
import type { HttpProvider, KeyHeader, ProviderEndpoints } from './provider.ts';
import { DEFAULT_TIMEOUTS, type UpstreamTimeouts } from './transport/transport.ts';

/** A stored provider, except its credential. */
export interface ProviderSettings {
  id: string;
  name: string;
  preset: string | null;
  dialect: Dialect;
  baseUrl: string;
  settings: Readonly<Record<string, string>>;
  /** Milliseconds; null: the default. */
  connectTimeoutMs: number | null;
  firstByteTimeoutMs: number | null;
  idleTimeoutMs: number | null;
  totalTimeoutMs: number | null;
  maxConcurrency: number | null;
  /** Members, `owner.member`, `tools.kind` and `beta.name` to forward although unknown or rejected. */
  allowedMembers?: readonly string[];
}

const KEY_HEADERS: Record<Dialect, KeyHeader> = {
  'openai-chat': 'authorization',
  'anthropic-messages': 'x-api-key',
  'openai-responses': 'authorization',
};

/** Endpoints without a preset: all, except Responses, which can be translated instead. */
const LIKELY_ENDPOINTS: ProviderEndpoints = {
  countTokens: true,
  inputTokens: false,
  embeddings: true,
  responses: false,
  models: true,
};

/**
 * Creates a callable provider from its stored settings and opened credential. An unknown preset (of another release)
 * leaves a custom base URL.
 */
export function createHttpProvider(
  stored: ProviderSettings,
  credential: ProviderCredential,
  connections: ProviderConnections = OWN_CLIENT,
): HttpProvider {
  const { id, name, dialect, baseUrl, settings, maxConcurrency } = stored;
  const preset = stored.preset === null ? null : findPreset(stored.preset);
  return {
    kind: 'http',
    id,
    name,
    preset: preset?.name ?? null,
    dialect,
    baseUrl,
    credential,
    connections,
    settings,
    maxConcurrency,
    timeouts: getTimeouts(stored),
    keyHeader: preset?.keyHeader ?? KEY_HEADERS[dialect],
    envelope: preset?.envelope ?? 'none',
    quirks: preset?.quirks ?? COMPATIBLE_QUIRKS,
    endpoints: preset?.endpoints ?? LIKELY_ENDPOINTS,
    contracts: getContracts(preset, stored.allowedMembers ?? []),
  };
}

/** The gateway itself requests usage in streams if the provider supports that. */
const OWN_MEMBERS: ReadonlySet<string> = new Set(['stream_options']);

function getContracts(preset: ProviderPreset | null, allowed: readonly string[]): RequestContracts {
  if (preset === null) return buildContracts({}, allowed);
  const { contract, quirks } = preset;
  const omits = quirks.omits.filter((name) => !OWN_MEMBERS.has(name));
  if (omits.length === 0) return buildContracts(contract, allowed);
  const members = { ...contract.chat?.members, ...dropped(omits.join(' '), 'the provider refuses it') };
  return buildContracts({ ...contract, chat: { ...contract.chat, members } }, allowed);
}

function getTimeouts(stored: ProviderSettings): UpstreamTimeouts | null {
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
