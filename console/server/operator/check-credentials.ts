import { listSetAside } from '@tollgate/db/queries/providers/set-aside-credentials';
import type { Deps } from '../deps.ts';
import { testProvider } from './provider-test.ts';

/** Tests the credentials that are set aside, one after another. A credential that passes is used again. */
export async function checkCredentials(deps: Deps): Promise<void> {
  for (const { providerName: _, ...credential } of await listSetAside(deps.db))
    await testProvider(deps, credential.providerId, credential).catch((error: unknown) =>
      deps.log.warn({ err: error, credential: credential.label }, 'a credential could not be tested'),
    );
}
