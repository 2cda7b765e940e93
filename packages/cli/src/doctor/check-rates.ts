import type { Database } from '@tollgate/db/client';
import { listLackingModels } from '../commands/model/missing-rates.ts';
import { ok, warn, type Check } from './check.ts';

const MAX_NAMED = 5;

/** Checks for models without published rates: requests that need one are rejected. */
export async function checkRates(db: Database, now: Date): Promise<Check> {
  const lacking = await listLackingModels(db, now);
  if (lacking.length === 0) return ok('Model rates', 'all models have their published rates');
  const named = lacking.slice(0, MAX_NAMED).map(({ model }) => model.id);
  const more = lacking.length > MAX_NAMED ? ` and ${lacking.length - MAX_NAMED} more` : '';
  return warn(
    'Model rates',
    `missing published rates for ${named.join(', ')}${more}`,
    'add them with `tollgate model update-rates`',
  );
}
