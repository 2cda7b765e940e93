import { mintApiKey } from '@tollgate/auth/api-key';
import { createKey } from '@tollgate/db/queries/keys/keys';
import { deny } from '../denial.ts';
import { router, verifiedMemberProcedure } from '../trpc.ts';

const LIFETIME_MS = 3_600_000;
const BUDGET_USD = '1';
const REQUESTS_PER_MINUTE = 60;

/** A key that lives in the memory of one page. */
export interface PlaygroundKey {
  keyId: string;
  secret: string;
  /** ISO 8601. */
  expiresAt: string;
  budgetUsd: string;
}

export const playgroundRouter = router({
  /**
   * Creates a key for one hour with a small budget for the calling page. It is listed, audited and revoked like any
   * other; its scope is fixed here, independent of the caller.
   */
  start: verifiedMemberProcedure('member').mutation(async ({ ctx }): Promise<PlaygroundKey> => {
    const { db, clock } = ctx.deps;
    const minted = mintApiKey();
    const expiresAt = new Date(clock.nowMs() + LIFETIME_MS).toISOString();
    const created = await createKey(db, clock, {
      accountId: ctx.account.id,
      createdBy: ctx.session.user.id,
      scope: {
        name: 'Playground',
        allowedModels: null,
        maxBudgetUsd: BUDGET_USD,
        rpm: REQUESTS_PER_MINUTE,
        tpm: null,
        expiresAt,
      },
      minted,
    });
    if (!created.ok) throw deny('BAD_REQUEST', 'The key could not be created. Try again.');
    return { keyId: created.key.id, secret: minted.key, expiresAt, budgetUsd: BUDGET_USD };
  }),
});
