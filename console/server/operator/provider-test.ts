import type { ProviderCredentialRow } from '@tollgate/db/queries/providers/provider-credentials';
import { restoreCredential } from '@tollgate/db/queries/providers/set-aside-credentials';
import { findProvider, noteTestPassed, type Provider } from '@tollgate/db/queries/providers/providers';
import { listRoutes } from '@tollgate/db/queries/catalogue/routes';
import {
  openConnections,
  type ProviderConnections,
} from '@tollgate/upstreams/connection/provider-connection';
import { createHttpProvider } from '@tollgate/upstreams/create-provider';
import type { ProviderCredential } from '@tollgate/upstreams/credential/credential';
import { openCredential } from '@tollgate/upstreams/credential/open-credential';
import { probeProvider } from '@tollgate/upstreams/probe/probe-provider';
import type { Deps } from '../deps.ts';
import { notFound } from '../denial.ts';

/** Result of a test, with a message if it failed. */
export type ProviderTest =
  | { ok: true; latencyMs: number; models: number | null; model: string | null }
  | { ok: false; message: string };

/**
 * Sends one real request. A credential that was set aside and passes is used again.
 * @param credential one of several; null: the first one
 */
export async function testProvider(
  deps: Deps,
  providerId: string,
  credential: ProviderCredentialRow | null = null,
): Promise<ProviderTest> {
  const found = await findProvider(deps.db, providerId);
  if (found === null) throw notFound('provider');
  const stored = withCredential(found, credential);
  const { name, dialect, baseUrl } = stored;
  if (dialect === 'demo' || baseUrl === null)
    return { ok: false, message: 'This provider is built into the API and has no connection to test.' };
  if (stored.credentialEnv !== null)
    return {
      ok: false,
      message: `Its key is in ${stored.credentialEnv}, in the environment of the API. Run \`tollgate provider test ${name}\` on that host.`,
    };
  const opened = open(deps, { ...stored, baseUrl });
  if (opened === null)
    return {
      ok: false,
      message:
        'The credential, headers or proxy cannot be decrypted with this ENCRYPTION_KEY. Enter them again.',
    };
  const route = (await listRoutes(deps.db)).find(({ providerName }) => providerName === name);
  const routed = route === undefined ? null : (route.upstreamModel ?? route.modelId);
  const provider = createHttpProvider({ ...stored, dialect, baseUrl }, opened.credential, opened.connections);
  // The list of models is free, so an account without credit gets it, too.
  const needsCompletion = credential?.setAsideCause === 'no_credit';
  if (needsCompletion && routed === null)
    return {
      ok: false,
      message: 'Add a route to this provider: the test of an account without credit needs a model.',
    };
  const asked = needsCompletion ? routed : null;
  const result = await probeProvider(provider, { asked, routed });
  if (!result.ok) return { ok: false, message: result.message };
  await noteTestPassed(deps.db, {
    id: providerId,
    at: new Date(deps.clock.nowMs()),
    modelIds: result.modelIds,
  });
  if (credential !== null && credential.setAsideAt !== null)
    await restoreCredential(deps.db, {
      id: credential.id,
      version: credential.version,
      actorUserId: null,
      by: 'check',
    });
  return { ok: true, latencyMs: result.latencyMs, models: result.models, model: result.model };
}

/** The provider, with the value of one of its credentials in place of the first one's. */
function withCredential(provider: Provider, credential: ProviderCredentialRow | null): Provider {
  if (credential === null || credential.id === provider.id) return provider;
  return { ...provider, credentialSealed: credential.credentialSealed, credentialEnv: null };
}

/** @returns null if it does not open */
function open(
  { sealer, settings: { proxies } }: Deps,
  provider: Provider & { baseUrl: string },
): { credential: ProviderCredential; connections: ProviderConnections } | null {
  try {
    const unseal = (sealed: Buffer, context: string) => sealer.open(sealed, context);
    const credential = openCredential(provider, unseal);
    return { credential, connections: openConnections(provider, credential, { open: unseal, proxies }) };
  } catch {
    return null;
  }
}
