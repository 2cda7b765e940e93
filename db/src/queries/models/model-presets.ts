import { eq } from 'drizzle-orm';
import { providers, routes } from '../../schema/catalogue.ts';
import type { Connection } from '../../transaction.ts';

/** A route with the preset of its provider. */
export interface PresetRoute {
  modelId: string;
  /** null: a provider without a preset. */
  preset: string | null;
  /** null: the same as the model's id. */
  upstreamModel: string | null;
}

/** Every route, with the preset of the provider that it leads to. */
export async function listPresetRoutes(db: Connection): Promise<PresetRoute[]> {
  return db.drizzle
    .select({ modelId: routes.modelId, preset: providers.preset, upstreamModel: routes.upstreamModel })
    .from(routes)
    .innerJoin(providers, eq(providers.id, routes.providerId));
}
