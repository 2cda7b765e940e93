import { formatUsd } from '@tollgate/core/money/money';
import {
  claimBudgetsReached,
  claimLowBalances,
  type BudgetReached,
} from '@tollgate/db/queries/system/alerts';
import { inTransaction } from '@tollgate/db/transaction';
import type { Deps } from '../deps.ts';
import { budgetMail, lowBalanceMail } from '../mail/payment-templates.ts';
import { queueBillingMail } from './queue-billing-mail.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const BATCH = 500;
/** Keys that an email names at most. */
const NAMED_KEYS = 20;

/** Reports balances below the threshold, and budgets of recently used keys. */
export async function sendAlerts(deps: Deps): Promise<void> {
  await sendLowBalances(deps);
  await sendBudgets(deps, HOUR_MS);
}

/** Reports budgets that were reached while no console ran. */
export async function sendLateAlerts(deps: Deps): Promise<void> {
  await sendBudgets(deps, 3 * DAY_MS);
}

/** Marks the recipients and queues the emails in one transaction: exactly once, also with several consoles. */
async function sendLowBalances(deps: Deps): Promise<void> {
  const count = await inTransaction(deps.db, async (tx) => {
    const low = await claimLowBalances(tx, new Date(deps.clock.nowMs()));
    for (const { accountId, availableNanoUsd, thresholdNanoUsd } of low) {
      await queueBillingMail(tx, deps, accountId, (accountName) =>
        lowBalanceMail({
          accountName,
          availableUsd: formatUsd(availableNanoUsd),
          thresholdUsd: formatUsd(thresholdNanoUsd),
          link: `${deps.settings.publicConsoleUrl}/billing`,
        }),
      );
    }
    return low.length;
  });
  if (count > 0) deps.onMailQueued();
}

async function sendBudgets(deps: Deps, lookBackMs: number): Promise<void> {
  const now = new Date(deps.clock.nowMs());
  const window = { since: new Date(now.getTime() - lookBackMs), now, limit: BATCH };
  for (;;) {
    const count = await inTransaction(deps.db, async (tx) => {
      const reached = await claimBudgetsReached(tx, window);
      for (const [accountId, keys] of Map.groupBy(reached, (key) => key.accountId)) {
        await queueBillingMail(tx, deps, accountId, (accountName) =>
          budgetMail({
            accountName,
            lines: keys.slice(0, NAMED_KEYS).map(toLine),
            more: Math.max(0, keys.length - NAMED_KEYS),
            link: `${deps.settings.publicConsoleUrl}/keys`,
          }),
        );
      }
      return reached.length;
    });
    if (count > 0) deps.onMailQueued();
    if (count < BATCH) return;
  }
}

function toLine({ keyName, percent, spentNanoUsd, maxBudgetNanoUsd }: BudgetReached) {
  return {
    keyName,
    percent,
    spentUsd: formatUsd(spentNanoUsd),
    budgetUsd: formatUsd(maxBudgetNanoUsd),
  };
}
