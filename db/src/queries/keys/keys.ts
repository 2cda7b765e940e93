import type { Clock } from '@tollgate/core/runtime/clock';
import { createId } from '@tollgate/core/runtime/ids';
import type { KeyScope } from '@tollgate/core/keys/key-scope';
import { and, eq, inArray, isNull } from 'drizzle-orm';
import type { Database } from '../../client.ts';
import { apiKeys, keyTotals } from '../../schema/api-keys.ts';
import { auditLog } from '../../schema/audit-log.ts';
import { describeChange } from '../audit/audit.ts';
import { findUnknownModels } from '../models/unknown-models.ts';
import { encodeScope } from './scope-columns.ts';

export type ApiKey = typeof apiKeys.$inferSelect;

export interface NewApiKey {
  accountId: string;
  /** null: the command line. */
  createdBy: string | null;
  scope: KeyScope;
  tags?: string[];
  /** From `mintApiKey`; the key itself never comes here. */
  minted: { hash: Buffer; prefix: string; last4: string };
}

export type CreateKeyDenial = { reason: 'unknown_models'; models: string[] } | { reason: 'expiry_in_past' };

/** Stores a key with its scope, its totals row and the audit entry, in one transaction. */
export async function createKey(
  db: Database,
  clock: Clock,
  input: NewApiKey,
): Promise<{ ok: true; key: ApiKey } | ({ ok: false } & CreateKeyDenial)> {
  const { scope, minted } = input;
  const stored = encodeScope(scope);
  if (stored.expiresAt !== null && stored.expiresAt.getTime() <= clock.nowMs())
    return { ok: false, reason: 'expiry_in_past' };
  return db.drizzle.transaction(async (tx) => {
    const unknown = await findUnknownModels({ drizzle: tx }, scope.allowedModels);
    if (unknown.length > 0) return { ok: false, reason: 'unknown_models', models: unknown } as const;
    const [key] = await tx
      .insert(apiKeys)
      .values({
        id: createId('key'),
        accountId: input.accountId,
        createdBy: input.createdBy,
        hash: minted.hash,
        prefix: minted.prefix,
        last4: minted.last4,
        ...stored,
        tags: input.tags ?? [],
      })
      .returning();
    if (key === undefined) throw new Error('INSERT INTO api_keys returned no row');
    await tx.insert(keyTotals).values({ keyId: key.id });
    await tx.insert(auditLog).values({
      id: createId('aud'),
      actorUserId: input.createdBy,
      accountId: input.accountId,
      action: 'key.create',
      subject: key.id,
      detail: { ...scope },
    });
    return { ok: true, key } as const;
  });
}

/**
 * Revokes many keys of an account immediately and permanently.
 * @returns the keys that this call revoked: without keys revoked before and keys of other accounts
 */
export async function revokeKeys(
  db: Database,
  input: { keyIds: string[]; accountId: string; actorUserId: string | null },
): Promise<ApiKey[]> {
  return db.drizzle.transaction(async (tx) => {
    const revoked = await tx
      .update(apiKeys)
      .set({ revokedAt: new Date() })
      .where(
        and(
          eq(apiKeys.accountId, input.accountId),
          inArray(apiKeys.id, input.keyIds),
          isNull(apiKeys.revokedAt),
        ),
      )
      .returning();
    if (revoked.length === 0) return [];
    await tx.insert(auditLog).values(
      revoked.map((key) => ({
        id: createId('aud'),
        actorUserId: input.actorUserId,
        accountId: key.accountId,
        action: 'key.revoke',
        subject: key.id,
      })),
    );
    return revoked;
  });
}

/** @returns false if the account has no such key */
export async function setKeyTags(
  db: Database,
  input: { keyId: string; accountId: string; tags: string[]; actorUserId: string | null },
): Promise<boolean> {
  const { keyId, accountId, tags, actorUserId } = input;
  return db.drizzle.transaction(async (tx) => {
    const isKey = and(eq(apiKeys.id, keyId), eq(apiKeys.accountId, accountId));
    const [stored] = await tx.select({ tags: apiKeys.tags }).from(apiKeys).where(isKey).for('update');
    if (stored === undefined) return false;
    await tx.update(apiKeys).set({ tags }).where(isKey);
    const entry = { id: createId('aud'), actorUserId, accountId, action: 'key.tag', subject: keyId };
    await tx.insert(auditLog).values({ ...entry, detail: describeChange(stored, { tags }) });
    return true;
  });
}

/**
 * Revokes a key immediately and permanently; the trigger notifies every replica.
 * @param accountId the account that must own the key; null: any (the command line)
 * @returns the key as it is now, even if it was revoked before; null if the account has no such key
 */
export async function revokeKey(
  db: Database,
  input: { keyId: string; accountId: string | null; actorUserId: string | null },
): Promise<ApiKey | null> {
  const isTheirs = and(
    eq(apiKeys.id, input.keyId),
    input.accountId === null ? undefined : eq(apiKeys.accountId, input.accountId),
  );
  return db.drizzle.transaction(async (tx) => {
    const [revoked] = await tx
      .update(apiKeys)
      .set({ revokedAt: new Date() })
      .where(and(isTheirs, isNull(apiKeys.revokedAt)))
      .returning();
    if (revoked === undefined) return (await tx.select().from(apiKeys).where(isTheirs))[0] ?? null;
    await tx.insert(auditLog).values({
      id: createId('aud'),
      actorUserId: input.actorUserId,
      accountId: revoked.accountId,
      action: 'key.revoke',
      subject: revoked.id,
    });
    return revoked;
  });
}
