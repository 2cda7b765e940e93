import type { OwnCredentialRow } from '@tollgate/db/queries/accounts/own-credentials';
import { listRoutes } from '@tollgate/db/queries/catalogue/routes';
import { findProvider } from '@tollgate/db/queries/providers/providers';
import { openConnections } from '@tollgate/upstreams/connection/provider-connection';
import { createHttpProvider } from '@tollgate/upstreams/create-provider';
import { ownCredentialContext, parseCredential } from '@tollgate/upstreams/credential/credential';
import { getHost, listSecrets, createRedactor } from '@tollgate/upstreams/credential/redact-secrets';
import { probeProvider } from '@tollgate/upstreams/probe/probe-provider';
import type { Deps } from '../deps.ts';
import { notFound } from '../denial.ts';
import type { ProviderTest } from '../operator/provider-test.ts';

/** Sends one real request with a credential of an account, without the headers of the operator. */
export async function testOwnCredential(
  { db, sealer, settings: { proxies } }: Deps,
  { accountId, providerId, credentialSealed }: OwnCredentialRow,
): Promise<ProviderTest> {
  const stored = await findProvider(db, providerId);
  if (stored === null || stored.dialect === 'demo' || stored.baseUrl === null) throw notFound('provider');
  const { name, dialect, baseUrl } = stored;
  const open = (sealed: Buffer, context: string) => sealer.open(sealed, context);
  const credential = parseCredential(open(credentialSealed, ownCredentialContext(accountId, providerId)));
  const connections = openConnections({ ...stored, baseUrl }, credential, { open, proxies });
  const provider = createHttpProvider({ ...stored, dialect, baseUrl }, credential, connections);
  const route = (await listRoutes(db)).find(({ providerName }) => providerName === name);
  const routed = route === undefined ? null : (route.upstreamModel ?? route.modelId);
  const result = await probeProvider(provider, { asked: null, routed });
  if (result.ok) return { ok: true, latencyMs: result.latencyMs, models: result.models, model: result.model };
  // Members of the account do not know the addresses of the operator.
  const redact = createRedactor(listSecrets(provider), [getHost(provider)]);
  return { ok: false, message: redact(result.message) };
}
