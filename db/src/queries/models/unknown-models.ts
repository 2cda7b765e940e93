import { findUnknownEntries } from '@tollgate/core/models/model-pattern';
import { models } from '../../schema/catalogue.ts';
import type { Connection } from '../../transaction.ts';

/** The entries of a list of allowed models that mean no model. @param entries null, undefined: all models are allowed */
export async function findUnknownModels(
  { drizzle }: Pick<Connection, 'drizzle'>,
  entries: readonly string[] | null | undefined,
): Promise<string[]> {
  if (entries === null || entries === undefined) return [];
  const known = await drizzle.select({ id: models.id }).from(models);
  return findUnknownEntries(
    entries,
    known.map(({ id }) => id),
  );
}
