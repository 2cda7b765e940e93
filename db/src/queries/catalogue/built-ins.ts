import { createId } from '@tollgate/core/runtime/ids';
import { providers, type ProviderDialect } from '../../schema/catalogue.ts';
import { inTransaction, type Connection } from '../../transaction.ts';
import { addProviderModels, type OfferedModel } from '../providers/provider-models.ts';

/** A provider that is created automatically, with its models and their prices. */
export interface BuiltInProvider {
  name: string;
  dialect: ProviderDialect;
  baseUrl: string | null;
  /** The environment variable that holds its credential. */
  credentialEnv: string | null;
  /** null: the demo provider, which has no preset. */
  preset: string | null;
  models: readonly OfferedModel[];
}

/**
 * Adds a provider and its models if the provider is missing. An existing provider stays as the operator left it:
 * a model or route that was removed is not restored.
 * @returns false if a provider of that name existed
 */
export function ensureBuiltIn(db: Connection, builtIn: BuiltInProvider): Promise<boolean> {
  const { name, dialect, baseUrl, credentialEnv, preset } = builtIn;
  return inTransaction(db, async (tx) => {
    const [provider] = await tx.drizzle
      .insert(providers)
      .values({ id: createId('prov'), name, dialect, baseUrl, credentialEnv, preset })
      .onConflictDoNothing({ target: providers.name })
      .returning({ id: providers.id });
    if (provider === undefined) return false;
    await addProviderModels(tx, provider.id, builtIn.models);
    return true;
  });
}
