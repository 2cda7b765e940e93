import { sql } from 'drizzle-orm';
import type { Connection } from '../../transaction.ts';

export interface SetupSteps {
  /** True with a provider other than the demo. */
  hasProvider: boolean;
  /** True if such a provider serves a model that has a price. */
  hasModel: boolean;
}

/** How far the operators have set up the installation. */
export async function readSetupSteps(db: Connection): Promise<SetupSteps> {
  const [row] = await db.drizzle.execute<{ has_provider: boolean; has_model: boolean }>(sql`
    SELECT EXISTS (SELECT FROM providers WHERE dialect <> 'demo') AS has_provider,
      EXISTS (SELECT FROM routes
        JOIN providers ON providers.id = routes.provider_id
        JOIN model_prices USING (model_id)
        WHERE providers.dialect <> 'demo' AND effective_from <= now()) AS has_model`);
  if (row === undefined) throw new Error('A SELECT without FROM returned no row');
  return { hasProvider: row.has_provider, hasModel: row.has_model };
}
