import type { Connection } from '@tollgate/db/transaction';
import { findProviderByName, type Provider } from '@tollgate/db/queries/providers';
import { Failure } from '../failure.ts';
import { iso } from '../output/format.ts';

/** @throws Failure where no provider has the name */
export async function getProvider(db: Connection, name: string): Promise<Provider> {
  const provider = await findProviderByName(db, name);
  if (provider !== null) return provider;
  throw new Failure(
    'provider_not_found',
    `There is no provider ${name}: \`tollgate provider list\` shows all`,
  );
}

/** The credential itself is never shown. */
export function providerJson(provider: Provider) {
  return {
    id: provider.id,
    name: provider.name,
    dialect: provider.dialect,
    baseUrl: provider.baseUrl,
    credential: credentialSource(provider),
    createdAt: iso(provider.createdAt),
  };
}

/** `stored`, `none`, or the variable of the api that holds it: `env:OPENAI_API_KEY`. */
export function credentialSource(provider: Provider): string {
  if (provider.credentialEnv !== null) return `env:${provider.credentialEnv}`;
  return provider.credentialSealed === null ? 'none' : 'stored';
}
