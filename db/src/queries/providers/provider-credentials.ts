import { createId } from '@tollgate/core/runtime/ids';
import { and, asc, eq } from 'drizzle-orm';
import { providerCredentials, providers } from '../../schema/catalogue.ts';
import { inTransaction, type Connection } from '../../transaction.ts';
import { describeChange, recordAudit } from '../audit/audit.ts';

export type ProviderCredentialRow = typeof providerCredentials.$inferSelect;

/** The most credentials of one provider: a request tries each of them at most once before other providers. */
export const MAX_CREDENTIALS = 16;

/** The credentials of a provider, or of all; the oldest first. */
export function listCredentials(
  db: Connection,
  providerId: string | null = null,
): Promise<ProviderCredentialRow[]> {
  return db.drizzle
    .select()
    .from(providerCredentials)
    .where(providerId === null ? undefined : eq(providerCredentials.providerId, providerId))
    .orderBy(
      asc(providerCredentials.providerId),
      asc(providerCredentials.createdAt),
      asc(providerCredentials.id),
    );
}

export async function findCredential(
  db: Connection,
  { providerId, label }: { providerId: string; label: string },
): Promise<ProviderCredentialRow | null> {
  const [row] = await db.drizzle
    .select()
    .from(providerCredentials)
    .where(and(eq(providerCredentials.providerId, providerId), eq(providerCredentials.label, label)));
  return row ?? null;
}

/** @returns null if there is no credential of that id */
export async function findCredentialById(db: Connection, id: string): Promise<ProviderCredentialRow | null> {
  const [row] = await db.drizzle.select().from(providerCredentials).where(eq(providerCredentials.id, id));
  return row ?? null;
}

type AddRefusal = 'no_provider' | 'no_first' | 'too_many' | 'taken';

/**
 * Adds a credential to a provider that has one.
 * @returns the reason if it cannot: the provider does not exist or has no credential that its requests could share with this
 *   one, has as many as it may, or has one with this label
 */
export async function addCredential(
  db: Connection,
  added: {
    providerId: string;
    label: string;
    weight: number;
    credentialSealed: Buffer;
    actorUserId: string | null;
  },
): Promise<{ ok: true; credential: ProviderCredentialRow } | { ok: false; reason: AddRefusal }> {
  const { actorUserId, ...values } = added;
  const { providerId, label, weight } = added;
  return inTransaction(db, async (tx) => {
    const [provider] = await tx.drizzle
      .select()
      .from(providers)
      .where(eq(providers.id, providerId))
      .for('update');
    if (provider === undefined) return { ok: false, reason: 'no_provider' };
    if (provider.credentialSealed === null && provider.credentialEnv === null)
      return { ok: false, reason: 'no_first' };
    if ((await listCredentials(tx, providerId)).length >= MAX_CREDENTIALS)
      return { ok: false, reason: 'too_many' };
    const [credential] = await tx.drizzle
      .insert(providerCredentials)
      .values({ ...values, id: createId('cred') })
      .onConflictDoNothing({ target: [providerCredentials.providerId, providerCredentials.label] })
      .returning();
    if (credential === undefined) return { ok: false, reason: 'taken' };
    const detail = { label, weight };
    await recordAudit(tx, { actorUserId, action: 'provider.credential_add', subject: providerId, detail });
    return { ok: true, credential };
  });
}

/** Changes the weight of a credential. @returns false if there is none of that id */
export async function changeCredentialWeight(
  db: Connection,
  { id, weight, actorUserId }: { id: string; weight: number; actorUserId: string | null },
): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const [stored] = await tx.drizzle
      .select()
      .from(providerCredentials)
      .where(eq(providerCredentials.id, id))
      .for('update');
    if (stored === undefined) return false;
    await tx.drizzle.update(providerCredentials).set({ weight }).where(eq(providerCredentials.id, id));
    await recordAudit(tx, {
      actorUserId,
      action: 'provider.credential_weight',
      subject: stored.providerId,
      detail: describeChange(stored, { label: stored.label, weight }),
    });
    return true;
  });
}

/**
 * Removes a credential. If it is the first one, the next one takes its place: their values are encrypted for the provider.
 * @returns false if there is none of that id, or it is the only one of its provider
 */
export async function removeCredential(
  db: Connection,
  { id, actorUserId }: { id: string; actorUserId: string | null },
): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const [found] = await tx.drizzle.select().from(providerCredentials).where(eq(providerCredentials.id, id));
    if (found === undefined) return false;
    const { providerId, label } = found;
    await tx.drizzle
      .select({ id: providers.id })
      .from(providers)
      .where(eq(providers.id, providerId))
      .for('update');
    const all = await listCredentials(tx, providerId);
    const next = all.find((other) => other.id !== providerId && other.id !== id);
    if (id !== providerId) {
      await tx.drizzle.delete(providerCredentials).where(eq(providerCredentials.id, id));
    } else if (next === undefined) return false;
    else await replaceFirst(tx, providerId, next);
    await recordAudit(tx, {
      actorUserId,
      action: 'provider.credential_remove',
      subject: providerId,
      detail: { label },
    });
    return true;
  });
}

async function replaceFirst(tx: Connection, providerId: string, next: ProviderCredentialRow): Promise<void> {
  const {
    credentialSealed,
    label,
    weight,
    setAsideAt,
    setAsideCause,
    setAsideMessage,
    notifiedAt,
    createdAt,
  } = next;
  await tx.drizzle.delete(providerCredentials).where(eq(providerCredentials.id, next.id));
  // Its trigger makes it another version of the first credential.
  await tx.drizzle
    .update(providers)
    .set({ credentialSealed, credentialEnv: null })
    .where(eq(providers.id, providerId));
  await tx.drizzle
    .update(providerCredentials)
    .set({ label, weight, setAsideAt, setAsideCause, setAsideMessage, notifiedAt, createdAt })
    .where(eq(providerCredentials.id, providerId));
}

/**
 * The labels of the credentials of providers that have several.
 * @returns by provider name, then by credential id; the first one has the id null
 */
export async function listLabels(db: Connection): Promise<Map<string, Map<string | null, string>>> {
  const rows = await db.drizzle
    .select({ credential: providerCredentials, name: providers.name })
    .from(providerCredentials)
    .innerJoin(providers, eq(providers.id, providerCredentials.providerId));
  const byProvider = Map.groupBy(rows, ({ name }) => name);
  return new Map(
    [...byProvider].flatMap(([name, of]) => {
      if (of.length === 1) return [];
      const labels = of.map(
        ({ credential: { id, providerId, label } }) => [id === providerId ? null : id, label] as const,
      );
      return [[name, new Map(labels)] as const];
    }),
  );
}
