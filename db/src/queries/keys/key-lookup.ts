import { eq, isNotNull, sql } from 'drizzle-orm';
import type { Database } from '../../client.ts';
import { accounts } from '../../schema/accounts.ts';
import { apiKeys, keyTotals } from '../../schema/api-keys.ts';
import { balances } from '../../schema/ledger.ts';
import type { OwnCredentialMode } from '../../schema/own-credentials.ts';
import { plans } from '../../schema/plans.ts';
import type { Plan } from '../plans/plan-terms.ts';
import { KEY_COLUMNS, type KeyFields } from './key-columns.ts';

/** The terms of an account's plan for a request: all but those for an account. */
type KeyPlan = Omit<Plan, 'includedCreditNanoUsd' | 'createdAt'>;

/** A key with everything that the api needs to serve its requests. */
export interface KeyRecord extends KeyFields {
  accountId: string;
  accountSuspendedAt: Date | null;
  /** True: the account logs its requests. */
  keepsBodies: boolean;
  /** True: the account stores its responses. */
  keepsResponses: boolean;
  /** Credentials of the account for providers that allow them; null: none. */
  ownCredentials: readonly OwnCredential[] | null;
  /** By requests in flight. */
  heldNanoUsd: bigint;
  plan: KeyPlan;
  balance: { availableNanoUsd: bigint; heldNanoUsd: bigint };
}

/** A credential of an account, for requests on routes to the provider. */
export interface OwnCredential {
  providerId: string;
  mode: OwnCredentialMode;
  /** False: the operator does not allow it any more. */
  isAllowed: boolean;
  /** In base64. */
  sealed: string;
}

/** Most accounts have none, so that this is one look into the index. */
const OWN_CREDENTIALS = sql<OwnCredential[] | null>`(
  SELECT jsonb_agg(jsonb_build_object('providerId', o.provider_id, 'mode', o.mode,
    'isAllowed', p.allows_own_credentials, 'sealed', encode(o.credential_sealed, 'base64')))
  FROM own_credentials o JOIN providers p ON p.id = o.provider_id WHERE o.account_id = ${accounts.id})`;

/** @param hash SHA-256 of the key */
export async function findKeyByHash(db: Database, hash: Buffer): Promise<KeyRecord | null> {
  const [row] = await db.drizzle
    .select({
      ...KEY_COLUMNS,
      accountId: apiKeys.accountId,
      accountSuspendedAt: accounts.suspendedAt,
      keepsBodies: isNotNull(accounts.bodiesKeptSince).mapWith(Boolean),
      keepsResponses: isNotNull(accounts.responsesKeptSince).mapWith(Boolean),
      ownCredentials: OWN_CREDENTIALS,
      heldNanoUsd: keyTotals.heldNanoUsd,
      plan: {
        id: plans.id,
        allowedModels: plans.allowedModels,
        rpm: plans.rpm,
        tpm: plans.tpm,
        pricePpm: plans.pricePpm,
        ownCredentialPpm: plans.ownCredentialPpm,
        isPrepaid: plans.isPrepaid,
        forwardsUnknown: plans.forwardsUnknown,
        countsCacheReads: plans.countsCacheReads,
      },
      balance: { availableNanoUsd: balances.availableNanoUsd, heldNanoUsd: balances.heldNanoUsd },
    })
    .from(apiKeys)
    .innerJoin(keyTotals, eq(keyTotals.keyId, apiKeys.id))
    .innerJoin(accounts, eq(accounts.id, apiKeys.accountId))
    .innerJoin(plans, eq(plans.id, accounts.planId))
    .innerJoin(balances, eq(balances.accountId, accounts.id))
    .where(eq(apiKeys.hash, hash));
  return row ?? null;
}
