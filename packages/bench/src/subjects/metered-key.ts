import { KEY_SCOPE_LIMITS } from '@tollgate/core/keys/key-scope';
import { parseUsd } from '@tollgate/core/money/money';
import type { Database } from '@tollgate/db/client';
import { createAccountFixture, createKeyFixture } from '@tollgate/testing/factories';
import { creditBalance } from '@tollgate/testing/credit-balance';

export interface MeteredKey {
  id: string;
  accountId: string;
  /** The key itself. */
  secret: string;
}

/** More than all requests of a run and of its past cost. */
const BALANCE_USD = '10000000';

/**
 * A key whose every request is metered: it has a budget and limits of requests and tokens per minute, as large as they
 * can be, and its account pays from a balance.
 */
export async function addMeteredKey(db: Database, index: number): Promise<MeteredKey> {
  const { accountId } = await createAccountFixture(db, {
    email: `metered-${index}@example.com`,
    planId: 'standard',
  });
  await creditBalance(db, { accountId, amountNanoUsd: parseUsd(BALANCE_USD) ?? 0n });
  const { maxBudgetUsd, rpm, tpm } = KEY_SCOPE_LIMITS;
  const { key, secret } = await createKeyFixture(db, accountId, {
    name: `metered ${index}`,
    maxBudgetUsd: String(maxBudgetUsd),
    rpm,
    tpm,
  });
  return { id: key.id, accountId, secret };
}
