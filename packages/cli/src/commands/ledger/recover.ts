import { formatUsd } from '@tollgate/core/money/money';
import { commitLedgerBatch } from '@tollgate/db/queries/ledger/commit-batch';
import { forgetReplicas, listLostHolds } from '@tollgate/db/queries/ledger/lost-holds';
import type { Database } from '@tollgate/db/client';
import type { Command } from 'commander';
import { z } from 'zod';
import { addCommand } from '../../command.ts';
import { withInstallation } from '../../installation.ts';
import { counted, usd } from '../../output/format.ts';

/** A living replica is heard of every 5 s. */
const SILENT_FOR_MS = 20_000;
const BATCH = 500;

export function addLedgerRecover(ledger: Command): void {
  addCommand(ledger, {
    usage: 'recover',
    summary: 'Settle what dead replicas held, by estimate; living ones do it by themselves',
    input: z.object({}),
    examples: ['tollgate ledger recover'],
    run: async (_, { env }) => {
      const { requests, billedNanoUsd } = await withInstallation(env, ({ db }) => recover(db));
      return {
        json: { requests, billedUsd: formatUsd(billedNanoUsd) },
        text:
          requests === 0
            ? 'No replica left anything behind'
            : `Settled ${counted(requests, 'request')} for ${usd(billedNanoUsd)}`,
      };
    },
  });
}

async function recover({ sql }: Database): Promise<{ requests: number; billedNanoUsd: bigint }> {
  const settled = new Set<string>();
  let billedNanoUsd = 0n;
  for (;;) {
    const lost = await listLostHolds(sql, SILENT_FOR_MS, BATCH);
    const settlements = lost.filter(({ id }) => !settled.has(id));
    if (settlements.length === 0) break;
    // It holds nothing by itself: the name is there for whoever looks into the log of the database.
    await commitLedgerBatch(sql, { replicaId: 'tollgate cli', settlements, holds: [], isRetry: false });
    for (const { id, costNanoUsd } of settlements) {
      settled.add(id);
      billedNanoUsd += costNanoUsd;
    }
  }
  await forgetReplicas(sql, SILENT_FOR_MS);
  return { requests: settled.size, billedNanoUsd };
}
