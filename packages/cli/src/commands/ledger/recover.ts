import { formatUsd } from '@tollgate/core/money/money';
import { commitLedgerBatch } from '@tollgate/db/queries/ledger/commit-batch';
import { forgetReplicas, listLostHolds } from '@tollgate/db/queries/ledger/lost-holds';
import type { Database } from '@tollgate/db/client';
import type { Command } from 'commander';
import { z } from 'zod';
import { addCommand } from '../../command.ts';
import { withInstallation } from '../../installation.ts';
import { counted, usd } from '../../output/format.ts';

/** A live replica sends a heartbeat every 5 s. */
const STALE_AFTER_MS = 20_000;
const BATCH = 500;

export function addLedgerRecover(ledger: Command): void {
  addCommand(ledger, {
    usage: 'recover',
    summary: 'Settle orphaned holds of stale replicas by estimate; running replicas do this automatically',
    input: z.object({}),
    examples: ['tollgate ledger recover'],
    run: async (_, { env }) => {
      const { requests, billedNanoUsd } = await withInstallation(env, ({ db }) => recover(db));
      return {
        json: { requests, billedUsd: formatUsd(billedNanoUsd) },
        text:
          requests === 0
            ? 'No orphaned holds'
            : `Settled ${counted(requests, 'request')} for ${usd(billedNanoUsd)}`,
      };
    },
  });
}

async function recover({ sql }: Database): Promise<{ requests: number; billedNanoUsd: bigint }> {
  const settled = new Set<string>();
  let billedNanoUsd = 0n;
  for (;;) {
    const lost = await listLostHolds(sql, STALE_AFTER_MS, BATCH);
    const settlements = lost.filter(({ id }) => !settled.has(id));
    if (settlements.length === 0) break;
    // The CLI has no holds. The name only identifies it in the database log.
    await commitLedgerBatch(sql, { replicaId: 'tollgate cli', settlements, holds: [], isRetry: false });
    for (const { id, costNanoUsd } of settlements) {
      settled.add(id);
      billedNanoUsd += costNanoUsd;
    }
  }
  await forgetReplicas(sql, STALE_AFTER_MS);
  return { requests: settled.size, billedNanoUsd };
}
