import type { ConnectionColumns, Provider } from '@tollgate/db/queries/providers/providers';
import {
  MAX_CERTIFICATES_LENGTH,
  parseCertificates,
} from '@tollgate/upstreams/connection/parse-certificates';
import { DIRECT } from '@tollgate/upstreams/connection/provider-connection';
import { ENVIRONMENT, readProxy } from '@tollgate/upstreams/connection/read-proxy';
import { z } from 'zod';
import type { Deps } from '../deps.ts';
import { acceptPart, refusePart, type FormPart } from '../form-part.ts';

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
): FormPart<Partial<ConnectionColumns>> {
  const { proxy, proxyUrl, caCertificates, http2 } = input;
  const ca = caCertificates === '' ? null : parseCertificates(caCertificates);
  const isKept = proxy === 'own' && proxyUrl === '' && stored !== null && stored.proxySealed !== null;
  const read = isKept
    ? null
    : readProxy(proxy === 'own' ? proxyUrl : proxy, providerId, (plain, context) =>
        sealer.seal(plain, context),
      );
  const refused = [
    ...(read === null || read.ok
      ? []
      : refusePart('connection.proxyUrl', `The proxy URL ${read.reason}.`).issues),
    ...(ca === null || ca.ok
      ? []
      : refusePart('connection.caCertificates', `The certificates ${ca.reason}.`).issues),
  ];
  if (refused.length > 0) return { ok: false, issues: refused };
  return acceptPart({
    caCertificates: ca?.ok === true ? ca.pem : null,
    http2,
    ...(read?.ok === true && read.columns),
  });
}
