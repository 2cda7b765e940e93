import { createId } from '@tollgate/core/ids';
import type { NanoUsd } from '@tollgate/core/money';
import type { Database } from '../client.ts';
import { modelPrices, models, providers, routes, type ProviderDialect } from '../schema/catalogue.ts';

/** A provider that appears by itself, with its models and their prices. */
export interface BuiltInProvider {
  name: string;
  dialect: ProviderDialect;
  baseUrl: string | null;
  /** The environment variable that holds its credential. */
  credentialEnv: string | null;
  /** null: the demo provider, which needs none. */
  preset: string | null;
  models: BuiltInModel[];
}

export interface BuiltInModel {
  id: string;
  contextTokens: number | null;
  maxOutputTokens: number | null;
  inputNanoUsdPerMtok: NanoUsd;
  outputNanoUsdPerMtok: NanoUsd;
  cacheReadNanoUsdPerMtok: NanoUsd | null;
  cacheWriteNanoUsdPerMtok: NanoUsd | null;
}

/**
 * Adds a provider and its models where the provider is missing. One that is there stays as the operator left it:
 * a model or route that was removed does not come back.
 * @returns false where a provider of that name was there
 */
export function ensureBuiltIn(db: Database, builtIn: BuiltInProvider): Promise<boolean> {
  const { name, dialect, baseUrl, credentialEnv, preset } = builtIn;
  return db.drizzle.transaction(async (tx) => {
    const [provider] = await tx
      .insert(providers)
      .values({ id: createId('prov'), name, dialect, baseUrl, credentialEnv, preset })
      .onConflictDoNothing({ target: providers.name })
      .returning({ id: providers.id });
    if (provider === undefined) return false;
    for (const { id, contextTokens, maxOutputTokens, ...prices } of builtIn.models) {
      const added = await tx
        .insert(models)
        .values({ id, contextTokens, maxOutputTokens })
        .onConflictDoNothing()
        .returning({ id: models.id });
      if (added.length > 0) await tx.insert(modelPrices).values({ modelId: id, ...prices });
      await tx.insert(routes).values({ id: createId('route'), modelId: id, providerId: provider.id });
    }
    return true;
  });
}
