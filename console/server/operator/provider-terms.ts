import type { ProviderHeaders } from '@tollgate/core/providers/provider-headers';
import { isEmptyCredential, credentialContext } from '@tollgate/upstreams/credential/credential';
import { readCredential } from '@tollgate/upstreams/credential/read-credential';
import { parseBaseUrl } from '@tollgate/upstreams/presets/parse-base-url';
import type { ProviderPreset } from '@tollgate/upstreams/presets/preset';
import { resolveBaseUrl } from '@tollgate/upstreams/presets/resolve-base-url';
import { z } from 'zod';
import type { Deps } from '../deps.ts';
import { acceptPart, refusePart, type FormPart } from '../form-part.ts';

const HOUR_MS = 3_600_000;

/** A limit as entered: `5,000`; '' or null: the default. */
const limitInput = z.union([z.number(), z.string().max(100)]).nullable();

/** What can be set of a provider, at any time, as entered. */
export const providerTermsSchema = z.object({
  /** '': the preset's. */
  baseUrl: z.string().trim().max(500),
  /** An empty value counts as missing. */
  settings: z
    .record(z.string().max(64), z.string().trim().max(100))
    .transform((typed) => Object.fromEntries(Object.entries(typed).filter(([, value]) => value !== ''))),
  /** In milliseconds; null: the default. */
  connectTimeoutMs: limitInput,
  firstByteTimeoutMs: limitInput,
  idleTimeoutMs: limitInput,
  totalTimeoutMs: limitInput,
  /** Maximum concurrent calls, per process of the api; null: no limit. */
  maxConcurrency: limitInput,
});
type ProviderTerms = z.infer<typeof providerTermsSchema>;

const limitSchema = (max: number) =>
  limitInput.transform((entered, context) => {
    const text = String(entered ?? '').replaceAll(/[,\s]/g, '');
    if (text === '') return null;
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= 1 && value <= max) return value;
    const range = `from 1 to ${max.toLocaleString('en-US')}`;
    context.addIssue({ code: 'custom', message: `Enter a whole number ${range}, or leave the field empty` });
    return z.NEVER;
  });

/** The limits of a provider; other terms are dropped. */
export const providerLimitsSchema = z.object({
  connectTimeoutMs: limitSchema(300_000),
  firstByteTimeoutMs: limitSchema(HOUR_MS),
  idleTimeoutMs: limitSchema(HOUR_MS),
  totalTimeoutMs: limitSchema(24 * HOUR_MS),
  maxConcurrency: limitSchema(1_000_000),
});

/** As it is pasted; a service account's key is the longest. */
export const credentialSchema = z.string().trim().max(20_000);

/** The address that was typed, or the preset's with its settings filled in. */
export function readAddress(
  preset: ProviderPreset | null,
  { baseUrl, settings }: ProviderTerms,
): FormPart<string> {
  if (preset !== null) {
    const resolved = resolveBaseUrl(preset, settings, baseUrl === '' ? undefined : baseUrl);
    if (!resolved.ok) return refusePart('terms.settings', sentence(resolved.reason));
    if (baseUrl === '') return acceptPart(resolved.baseUrl);
  }
  const parsed = parseBaseUrl(baseUrl);
  if (!parsed.ok) return refusePart('terms.baseUrl', sentence(`the address ${parsed.reason}`));
  return acceptPart(parsed.baseUrl);
}

/**
 * @param given.credential '': none, which a provider that requires one accepts if headers replace it
 * @returns the values to store; null if there are none
 */
export function sealCredential(
  { sealer }: Deps,
  provider: { id: string; preset: ProviderPreset | null },
  given: { credential: string; headers: ProviderHeaders },
): FormPart<Buffer | null> {
  const { credential: text, headers } = given;
  if (text === '' && headers.length > 0) return acceptPart(null);
  const read = readCredential(provider.preset, { text: text === '' ? null : text, headers: {} });
  if (!read.ok) return refusePart('credential', sentence(read.reason));
  if (isEmptyCredential(read.credential)) return acceptPart(null);
  return acceptPart(sealer.seal(JSON.stringify(read.credential), credentialContext(provider.id)));
}

function sentence(reason: string): string {
  return `${reason.charAt(0).toUpperCase()}${reason.slice(1).replace('--setting ', 'the setting ')}.`;
}
