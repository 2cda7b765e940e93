import { emailSchema } from '@tollgate/core/keys/credentials';
import { listKeysOfAccount } from '@tollgate/db/queries/keys/key-overview';
import type { Command } from 'commander';
import { z } from 'zod';
import { addCommand } from '../../command.ts';
import { withInstallation } from '../../installation.ts';
import { moment, usd } from '../../output/format.ts';
import { formatTable } from '../../output/table.ts';
import { getAccount } from '../account/account-view.ts';
import { keyJson, keyState, maskedKey } from './key-view.ts';

const COLUMNS = [
  { title: 'ID' },
  { title: 'NAME' },
  { title: 'KEY' },
  { title: 'STATE' },
  { title: 'SPENT', align: 'right' },
  { title: 'MAX BUDGET', align: 'right' },
  { title: 'LAST USED' },
] as const;

export function addKeyList(key: Command): void {
  addCommand(key, {
    usage: 'list',
    summary: 'List the keys of an account, newest first',
    options: [{ flags: '--account <email>', about: "the account's owner", required: true }],
    input: z.object({ account: emailSchema }),
    examples: ['tollgate key list --account you@example.com'],
    run: async ({ account }, { env, clock }) => {
      const keys = await withInstallation(env, async ({ db }) =>
        listKeysOfAccount(db, (await getAccount(db, account)).id),
      );
      const nowMs = clock.nowMs();
      const rows = keys.map((each) => [
        each.id,
        each.name,
        maskedKey(each),
        keyState(each, nowMs),
        usd(each.spentNanoUsd),
        each.maxBudgetNanoUsd === null ? '-' : usd(each.maxBudgetNanoUsd),
        each.lastUsedAt === null ? 'never' : moment(each.lastUsedAt),
      ]);
      return {
        json: { keys: keys.map((each) => keyJson(each, nowMs)) },
        text:
          rows.length > 0
            ? formatTable(COLUMNS, rows)
            : `No keys yet. Create one with \`tollgate key create --account ${account} --name first\`.`,
      };
    },
  });
}
