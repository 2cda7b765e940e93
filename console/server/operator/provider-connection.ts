import type { ConnectionColumns, Provider } from '@tollgate/db/queries/providers/providers';
import {
  MAX_CERTIFICATES_LENGTH,
  parseCertificates,
} from '@tollgate/upstreams/connection/parse-certificates';
import { DIRECT } from '@tollgate/upstreams/connection/provider-connection';
import { ENVIRONMENT, readProxy } from '@tollgate/upstreams/connection/read-proxy';
import { z } from 'zod';
import type { Deps } from '../deps.ts';
import { deny } from '../denial.ts';

/** How a provider is reached. */
export const connectionSchema = z.object({
  proxy: z.enum([ENVIRONMENT, DIRECT, 'own']),
  /** For `own`; '': the stored one stays. It is never sent back. */
  proxyUrl: z.string().trim().max(2_000),
  /** PEM; '': none. */
  caCertificates: z.string().trim().max(MAX_CERTIFICATES_LENGTH),
  http2: z.boolean(),
});

/** @param stored null: the provider is new @returns the columns to store */
export function sealConnection(
  { sealer }: Deps,
  providerId: string,
  { input, stored }: { input: z.infer<typeof connectionSchema>; stored: Provider | null },
): Partial<ConnectionColumns> {
  const { proxy, proxyUrl, caCertificates, http2 } = input;
  const ca = caCertificates === '' ? null : parseCertificates(caCertificates);
  if (ca !== null && !ca.ok)
    throw deny('BAD_REQUEST', `The certificates ${ca.reason}.`, { field: 'connection.caCertificates' });
  const rest = { caCertificates: ca === null ? null : ca.pem, http2 };
  const isKept = proxy === 'own' && proxyUrl === '' && stored !== null && stored.proxySealed !== null;
  if (isKept) return rest;
  const read = readProxy(proxy === 'own' ? proxyUrl : proxy, providerId, (plain, context) =>
    sealer.seal(plain, context),
  );
  if (!read.ok) throw deny('BAD_REQUEST', `The proxy URL ${read.reason}.`, { field: 'connection.proxyUrl' });
  return { ...rest, ...read.columns };
}
