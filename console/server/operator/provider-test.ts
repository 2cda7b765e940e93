import { findProvider, type Provider } from '@tollgate/db/queries/providers/providers';
import { listRoutes } from '@tollgate/db/queries/catalogue/routes';
import { createHttpProvider } from '@tollgate/upstreams/create-provider';
import type { ProviderCredential } from '@tollgate/upstreams/credential/credential';
import { openCredential } from '@tollgate/upstreams/credential/open-credential';
import { probeProvider } from '@tollgate/upstreams/probe/probe-provider';
import type { Deps } from '../deps.ts';
import { notFound } from '../denial.ts';

/** What came of a test, in words where it failed. */
export type ProviderTest =
  | { ok: true; latencyMs: number; models: number | null; model: string | null }
  | { ok: false; message: string };

export async function testProvider(deps: Deps, providerId: string): Promise<ProviderTest> {
  const stored = await findProvider(deps.db, providerId);
  if (stored === null) throw notFound('provider');
  const { name, dialect, baseUrl } = stored;
  if (dialect === 'demo' || baseUrl === null)
    return { ok: false, message: 'It is built into the api: there is nothing to reach.' };
  if (stored.credentialEnv !== null)
    return {
      ok: false,
      message: `Its key is in ${stored.credentialEnv} of the api's environment, which the console does not see: use \`tollgate provider test ${name}\` there.`,
    };
  const credential = findCredential(deps, stored);
  if (credential === null)
    return {
      ok: false,
      message: 'Its credential or its headers do not open with this ENCRYPTION_KEY: store them again.',
    };
  const route = (await listRoutes(deps.db)).find(({ providerName }) => providerName === name);
  const routed = route === undefined ? null : (route.upstreamModel ?? route.modelId);
  const result = await probeProvider(createHttpProvider({ ...stored, dialect, baseUrl }, credential), {
    asked: null,
    routed,
  });
  if (!result.ok) return { ok: false, message: result.message };
  return { ok: true, latencyMs: result.latencyMs, models: result.models, model: result.model };
}

/** @returns null where it does not open */
function findCredential({ sealer }: Deps, provider: Provider): ProviderCredential | null {
  try {
    return openCredential(provider, (sealed, context) => sealer.open(sealed, context));
  } catch {
    return null;
  }
}
