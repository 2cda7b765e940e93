import type { ProviderHeaders } from '@tollgate/core/providers/provider-headers';
import type { Provider } from '@tollgate/db/queries/providers/providers';
import { headersContext, openHeaders } from '@tollgate/upstreams/credential/open-credential';
import type { Deps } from '../deps.ts';
import { deny } from '../denial.ts';

/**
 * Computes the stored headers of a provider. Values are write-only: a header without a value keeps the stored one.
 * @param stored null: the provider is new
 */
export function sealHeaders(
  { sealer }: Deps,
  providerId: string,
  input: { headers: ProviderHeaders; stored: Provider | null },
): Pick<Provider, 'headersSealed' | 'headerNames'> {
  const { headers, stored } = input;
  if (headers.length === 0) return { headersSealed: null, headerNames: [] };
  const kept = headers.some(({ value }) => value === null) ? openStored(sealer, stored) : {};
  const entries = headers.map(({ name, value }, index) => {
    const text = value ?? (Object.hasOwn(kept, name) ? kept[name] : undefined);
    if (text === undefined)
      throw deny('BAD_REQUEST', 'Enter a value for the header', { field: `headers.${index}.value` });
    return [name, text] as const;
  });
  return {
    headersSealed: sealer.seal(JSON.stringify(Object.fromEntries(entries)), headersContext(providerId)),
    headerNames: entries.map(([name]) => name).toSorted(),
  };
}

function openStored(sealer: Deps['sealer'], stored: Provider | null): Record<string, string> {
  if (stored === null) return {};
  try {
    return openHeaders(stored, (sealed, context) => sealer.open(sealed, context));
  } catch {
    throw deny(
      'BAD_REQUEST',
      'The stored headers cannot be decrypted with this ENCRYPTION_KEY. Enter all values again.',
    );
  }
}
