import { createId } from '@tollgate/core/runtime/ids';
import { and, asc, eq, isNotNull, isNull, lt, lte, or, sql, type SQL } from 'drizzle-orm';
import { providerCredentials, providers, type SetAsideCause } from '../../schema/catalogue.ts';
import { inTransaction, type Connection } from '../../transaction.ts';
import { recordAudit } from '../audit/audit.ts';

export type ProviderCredentialRow = typeof providerCredentials.$inferSelect;

/** The most credentials of one provider: a request tries each of them at most once before other providers. */
export const MAX_CREDENTIALS = 16;

/** What a credential has that was not refused since its last version. */
const NOT_SET_ASIDE = { setAsideAt: null, setAsideCause: null, setAsideMessage: null };
/** A credential that is refused again so soon after the last email causes no other one. */
const ALERT_EVERY_MS = 86_400_000;
const nextVersion = sql`${providerCredentials.version} + 1`;

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
    const [changed] = await tx.drizzle
      .update(providerCredentials)
      .set({ weight })
      .where(eq(providerCredentials.id, id))
      .returning();
    if (changed === undefined) return false;
    const detail = { label: changed.label, weight };
    await recordAudit(tx, {
      actorUserId,
      action: 'provider.credential_weight',
      subject: changed.providerId,
      detail,
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
 * Uses a credential again that was set aside.
 * @param version only this one; null: any
 * @returns false if it was not set aside, or does not exist
 */
export async function restoreCredential(
  db: Connection,
  restored: {
    id: string;
    version?: number | null;
    actorUserId: string | null;
    by: 'operator' | 'check' | 'request';
  },
): Promise<boolean> {
  const { id, version = null, actorUserId, by } = restored;
  return inTransaction(db, async (tx) => {
    const [changed] = await tx.drizzle
      .update(providerCredentials)
      .set({ ...NOT_SET_ASIDE, version: nextVersion, ...(by === 'operator' && { notifiedAt: null }) })
      .where(
        and(
          eq(providerCredentials.id, id),
          isNotNull(providerCredentials.setAsideAt),
          version === null ? undefined : eq(providerCredentials.version, version),
        ),
      )
      .returning();
    if (changed === undefined) return false;
    await recordAudit(tx, {
      actorUserId,
      action: 'provider.credential_restore',
      subject: changed.providerId,
      detail: { label: changed.label, by },
    });
    return true;
  });
}

/**
 * Sets a credential aside that its provider refused, unless it has another version meanwhile.
 * @returns false if it has, or is set aside already
 */
export async function setCredentialAside(
  db: Connection,
  refused: { id: string; version: number; at: Date; cause: SetAsideCause; message: string | null },
): Promise<boolean> {
  const { id, version, at, cause, message } = refused;
  return inTransaction(db, async (tx) => {
    const [changed] = await tx.drizzle
      .update(providerCredentials)
      .set({ setAsideAt: at, setAsideCause: cause, setAsideMessage: message })
      .where(
        and(
          eq(providerCredentials.id, id),
          eq(providerCredentials.version, version),
          isNull(providerCredentials.setAsideAt),
        ),
      )
      .returning();
    if (changed === undefined) return false;
    await recordAudit(tx, {
      actorUserId: null,
      action: 'provider.credential_set_aside',
      subject: changed.providerId,
      detail: { label: changed.label, cause },
    });
    return true;
  });
}

/** A credential that is set aside, with the name of its provider. */
export interface SetAsideCredential extends ProviderCredentialRow {
  providerName: string;
}

export async function listSetAside(db: Connection): Promise<SetAsideCredential[]> {
  const rows = await db.drizzle
    .select({ credential: providerCredentials, providerName: providers.name })
    .from(providerCredentials)
    .innerJoin(providers, eq(providers.id, providerCredentials.providerId))
    .where(isNotNull(providerCredentials.setAsideAt))
    .orderBy(asc(providers.name), asc(providerCredentials.label));
  return rows.map(({ credential, providerName }) => ({ ...credential, providerName }));
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

/** True if a credential is set aside. */
export function hasSetAside(): SQL {
  return sql`EXISTS (SELECT 1 FROM provider_credentials WHERE set_aside_at IS NOT NULL)`;
}

/** Claims the credentials that operators are to get an email about, in the transaction that queues it. */
export async function claimCredentialAlerts(tx: Connection, now: Date): Promise<SetAsideCredential[]> {
  const claimed = await tx.drizzle
    .update(providerCredentials)
    .set({ notifiedAt: now })
    .where(
      and(
        isNotNull(providerCredentials.setAsideAt),
        or(
          isNull(providerCredentials.notifiedAt),
          and(
            lt(providerCredentials.notifiedAt, providerCredentials.setAsideAt),
            lte(providerCredentials.notifiedAt, new Date(now.getTime() - ALERT_EVERY_MS)),
          ),
        ),
      ),
    )
    .returning({ id: providerCredentials.id });
  const ids = new Set(claimed.map(({ id }) => id));
  return ids.size === 0 ? [] : (await listSetAside(tx)).filter(({ id }) => ids.has(id));
}
