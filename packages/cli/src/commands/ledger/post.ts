import { formatUsd } from '@tollgate/core/money/money';
import { postUsage } from '@tollgate/db/queries/ledger/post-usage';
import type { Command } from 'commander';
import { z } from 'zod';
import { addCommand } from '../../command.ts';
import { withInstallation } from '../../installation.ts';
import { usd, whole } from '../../output/format.ts';

export function addLedgerPost(ledger: Command): void {
  addCommand(ledger, {
    usage: 'post',
    summary: 'Post usage of past hours to the ledger; the console does this every minute',
    input: z.object({}),
    examples: ['tollgate ledger post'],
    run: async (_, { env, clock }) => {
      const before = new Date(clock.nowMs());
      const { entries, chargedNanoUsd } = await withInstallation(env, ({ db }) => postUsage(db, { before }));
      return {
        json: { entries, chargedUsd: formatUsd(chargedNanoUsd) },
        text:
          entries === 0
            ? 'No usage of past hours to post. Usage of this hour is posted when the hour is over.'
            : `Posted ${entries === 1 ? '1 entry' : `${whole(entries)} entries`}, ${usd(chargedNanoUsd)} in total`,
      };
    },
  });
}
