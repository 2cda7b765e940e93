import type { ProviderHeaders } from '@tollgate/core/providers/provider-headers';
import { isEmptyCredential, credentialContext } from '@tollgate/upstreams/credential/credential';
import { readCredential } from '@tollgate/upstreams/credential/read-credential';
import { parseBaseUrl } from '@tollgate/upstreams/presets/parse-base-url';
import type { ProviderPreset } from '@tollgate/upstreams/presets/preset';
import { resolveBaseUrl } from '@tollgate/upstreams/presets/resolve-base-url';
import { z } from 'zod';
import type { Deps } from '../deps.ts';
import { deny } from '../denial.ts';

const HOUR_MS = 3_600_000;
const timeoutSchema = (max: number) => z.int('Enter a whole number').min(1).max(max).nullable();

/** What can be set of a provider, at any time. */
export const providerTermsSchema = z.object({
  /** '': the preset's. */
  baseUrl: z.string().trim().max(500),
  /** An empty value counts as missing. */
  settings: z
    .record(z.string().max(64), z.string().trim().max(100))
    .transform((typed) => Object.fromEntries(Object.entries(typed).filter(([, value]) => value !== ''))),
  /** In milliseconds; null: the default. */
  connectTimeoutMs: timeoutSchema(300_000),
  firstByteTimeoutMs: timeoutSchema(HOUR_MS),
  idleTimeoutMs: timeoutSchema(HOUR_MS),
  totalTimeoutMs: timeoutSchema(24 * HOUR_MS),
  /** Maximum concurrent calls, per process of the api; null: no limit. */
  maxConcurrency: z.int('Enter a whole number').min(1).max(1_000_000).nullable(),
});
type ProviderTerms = z.infer<typeof providerTermsSchema>;

/** As it is pasted; a service account's key is the longest. */
export const credentialSchema = z.string().trim().max(20_000);

/** The address that was typed, or the preset's with its settings filled in. */
export function readAddress(preset: ProviderPreset | null, { baseUrl, settings }: ProviderTerms): string {
  if (preset !== null) {
    const resolved = resolveBaseUrl(preset, settings, baseUrl === '' ? undefined : baseUrl);
    if (!resolved.ok) throw deny('BAD_REQUEST', sentence(resolved.reason), { field: 'terms.settings' });
    if (baseUrl === '') return resolved.baseUrl;
  }
  const parsed = parseBaseUrl(baseUrl);
  if (!parsed.ok)
    throw deny('BAD_REQUEST', sentence(`the address ${parsed.reason}`), { field: 'terms.baseUrl' });
  return parsed.baseUrl;
}

/**
 * @param given.credential '': none, which a provider that requires one accepts if headers replace it
 * @returns the values to store; null if there are none
 */
export function sealCredential(
  { sealer }: Deps,
  provider: { id: string; preset: ProviderPreset | null },
  given: { credential: string; headers: ProviderHeaders },
): Buffer | null {
  const { credential: text, headers } = given;
  if (text === '' && headers.length > 0) return null;
  const read = readCredential(provider.preset, { text: text === '' ? null : text, headers: {} });
  if (!read.ok) throw deny('BAD_REQUEST', sentence(read.reason), { field: 'credential' });
  if (isEmptyCredential(read.credential)) return null;
  return sealer.seal(JSON.stringify(read.credential), credentialContext(provider.id));
}

function sentence(reason: string): string {
  return `${reason.charAt(0).toUpperCase()}${reason.slice(1).replace('--setting ', 'the setting ')}.`;
}
