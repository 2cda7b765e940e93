import { providerHeadersSchema, type ProviderHeaders } from '@tollgate/core/providers/provider-headers';
import type { Provider } from '@tollgate/db/queries/providers/providers';
import { headersContext, openHeaders } from '@tollgate/upstreams/credential/open-credential';
import { z } from 'zod';
import type { Deps } from '../deps.ts';
import { acceptPart, parsePart, refusePart, type FormPart } from '../form-part.ts';

/** Headers as entered; `sealHeaders` validates them. */
export const headersInput = z.array(
  z.object({ name: z.string().max(10_000), value: z.string().max(10_000).nullable() }),
);

/**
 * Computes the stored headers of a provider. Values are write-only: a header without a value keeps the stored one.
 * @param stored null: the provider is new
 */
export function sealHeaders(
  { sealer }: Deps,
  providerId: string,
  input: { headers: ProviderHeaders; stored: Provider | null },
): FormPart<Pick<Provider, 'headersSealed' | 'headerNames'>> {
  const parsed = parsePart('headers', providerHeadersSchema, input.headers);
  if (!parsed.ok) return parsed;
  const { value: headers } = parsed;
  if (headers.length === 0) return acceptPart({ headersSealed: null, headerNames: [] });
  const kept = headers.some(({ value }) => value === null) ? openStored(sealer, input.stored) : {};
  if (kept === null)
    return refusePart(
      'headers',
      'The stored headers cannot be decrypted with this ENCRYPTION_KEY. Enter all values again.',
    );
  const entries: [name: string, value: string][] = [];
  for (const [index, { name, value }] of headers.entries()) {
    const text = value ?? (Object.hasOwn(kept, name) ? kept[name] : undefined);
    if (text === undefined) return refusePart(`headers.${index}.value`, 'Enter a value for the header');
    entries.push([name, text]);
  }
  return acceptPart({
    headersSealed: sealer.seal(JSON.stringify(Object.fromEntries(entries)), headersContext(providerId)),
    headerNames: entries.map(([name]) => name).toSorted(),
  });
}

/** @returns null if they cannot be decrypted */
function openStored(sealer: Deps['sealer'], stored: Provider | null): Record<string, string> | null {
  if (stored === null) return {};
  try {
    return openHeaders(stored, (sealed, context) => sealer.open(sealed, context));
  } catch {
    return null;
  }
}
