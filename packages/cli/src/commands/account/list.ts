import { listAccounts } from '@tollgate/db/queries/accounts/accounts';
import type { Command } from 'commander';
import { z } from 'zod';
import { addCommand } from '../../command.ts';
import { withInstallation } from '../../installation.ts';
import { moment, usd, yesNo } from '../../output/format.ts';
import { formatTable } from '../../output/table.ts';
import { accountJson } from './account-view.ts';

const COLUMNS = [
  { title: 'EMAIL' },
  { title: 'VERIFIED' },
  { title: 'OPERATOR' },
  { title: 'STATE' },
  { title: 'KEYS', align: 'right' },
  { title: 'PLAN' },
  { title: 'AVAILABLE', align: 'right' },
  { title: 'ON HOLD', align: 'right' },
  { title: 'SPENT', align: 'right' },
  { title: 'CREATED' },
] as const;

export function addAccountList(account: Command): void {
  addCommand(account, {
    usage: 'list',
    summary: 'List accounts',
    input: z.object({}),
    examples: ['tollgate account list', 'tollgate account list --json'],
    run: async (_, { env }) => {
      const accounts = await withInstallation(env, ({ db }) => listAccounts(db));
      const rows = accounts.map((each) => [
        each.email,
        yesNo(each.emailVerifiedAt !== null),
        yesNo(each.isOperator),
        each.suspendedAt === null ? 'active' : 'suspended',
        String(each.keys),
        each.planId,
        usd(each.availableNanoUsd),
        usd(each.heldNanoUsd),
        usd(each.spentNanoUsd),
        moment(each.createdAt),
      ]);
      return {
        json: { accounts: accounts.map(accountJson) },
        text:
          rows.length > 0
            ? formatTable(COLUMNS, rows)
            : 'No accounts yet. Create one with `tollgate account create --email you@example.com --verified`.',
      };
    },
  });
}
