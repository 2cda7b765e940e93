import { and, asc, eq, isNotNull, isNull, lt, lte, or, sql, type SQL } from 'drizzle-orm';
import { providerCredentials, providers, type SetAsideCause } from '../../schema/catalogue.ts';
import { inTransaction, type Connection } from '../../transaction.ts';
import { recordAudit } from '../audit/audit.ts';
import type { ProviderCredentialRow } from './provider-credentials.ts';

/** What a credential has that was not refused since its last version. */
const NOT_SET_ASIDE = { setAsideAt: null, setAsideCause: null, setAsideMessage: null };
/** A credential that is refused again so soon after the last email causes no other one. */
const ALERT_EVERY_MS = 86_400_000;
const nextVersion = sql`${providerCredentials.version} + 1`;

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
interface SetAsideCredential extends ProviderCredentialRow {
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
