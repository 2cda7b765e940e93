import { createId } from '@tollgate/core/ids';
import { asc, count, eq } from 'drizzle-orm';
import { auditLog } from '../schema/audit-log.ts';
import { providers, routes } from '../schema/catalogue.ts';
import { inTransaction, type Connection } from '../transaction.ts';

export type Provider = typeof providers.$inferSelect;

/** What may be left to its default. */
type ProviderTuning = {
  [
    Name in
      | 'preset'
      | 'settings'
      | 'connectTimeoutMs'
      | 'firstByteTimeoutMs'
      | 'idleTimeoutMs'
      | 'totalTimeoutMs'
      | 'maxConcurrency'
  ]?: Provider[Name] | undefined;
};

/** @returns null where another provider has the name */
export async function addProvider(
  db: Connection,
  input: {
    /** Made by the caller, because the credential is sealed for it. */
    id: string;
    name: string;
    dialect: Exclude<Provider['dialect'], 'demo'>;
    baseUrl: string;
    /** null: the provider asks for none. */
    credentialSealed: Buffer | null;
  } & ProviderTuning,
): Promise<Provider | null> {
  return inTransaction(db, async (tx) => {
    const [provider] = await tx.drizzle
      .insert(providers)
      .values(input)
      .onConflictDoNothing({ target: providers.name })
      .returning();
    if (provider === undefined) return null;
    const { id: subject, credentialSealed: _, ...detail } = input;
    await audit(tx, { action: 'provider.add', subject, detail });
    return provider;
  });
}

/** By name, with the number of routes that lead to each. */
export async function listProviders(db: Connection): Promise<(Provider & { routes: number })[]> {
  const rows = await db.drizzle
    .select({ provider: providers, routes: count(routes.id) })
    .from(providers)
    .leftJoin(routes, eq(routes.providerId, providers.id))
    .groupBy(providers.id)
    .orderBy(asc(providers.name));
  return rows.map((row) => ({ ...row.provider, routes: row.routes }));
}

export async function findProviderByName(db: Connection, name: string): Promise<Provider | null> {
  const [provider] = await db.drizzle.select().from(providers).where(eq(providers.name, name));
  return provider ?? null;
}

/**
 * Removes a provider and the routes that lead to it.
 * @returns how many routes went with it
 */
export async function removeProvider(
  db: Connection,
  provider: { id: string; name: string },
): Promise<{ removedRoutes: number }> {
  return inTransaction(db, async (tx) => {
    const gone = await tx.drizzle
      .delete(routes)
      .where(eq(routes.providerId, provider.id))
      .returning({ id: routes.id });
    await tx.drizzle.delete(providers).where(eq(providers.id, provider.id));
    const detail = { name: provider.name, removedRoutes: gone.length };
    await audit(tx, { action: 'provider.remove', subject: provider.id, detail });
    return { removedRoutes: gone.length };
  });
}

async function audit(
  tx: Connection,
  entry: { action: string; subject: string; detail: Record<string, unknown> },
): Promise<void> {
  await tx.drizzle.insert(auditLog).values({ id: createId('aud'), ...entry });
}
