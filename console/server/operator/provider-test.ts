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

export async function testProvider(deps: Deps, providerId: string): Promise<ProviderTest> {
  const stored = await findProvider(deps.db, providerId);
  if (stored === null) throw notFound('provider');
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
  const result = await probeProvider(provider, { asked: null, routed });
  if (!result.ok) return { ok: false, message: result.message };
  await noteTestPassed(deps.db, { id: providerId, at: new Date(deps.clock.nowMs()) });
  return { ok: true, latencyMs: result.latencyMs, models: result.models, model: result.model };
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
