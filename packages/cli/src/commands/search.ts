import { searchTextSchema } from '@tollgate/core/search/search-text';
import { searchInstallation } from '@tollgate/db/queries/search/search-installation';
import type { Command } from 'commander';
import { z } from 'zod';
import { addCommand } from '../command.ts';
import { withInstallation } from '../installation.ts';
import { formatTable } from '../output/table.ts';

const COLUMNS = ['KIND', 'ID', 'NAME', 'DETAIL', 'ACCOUNT'].map((title) => ({ title }));

export function addSearch(program: Command): void {
  addCommand(program, {
    usage: 'search <TEXT>',
    summary: 'Find requests, keys, accounts, members, payments, models and providers',
    positional: ['text'],
    input: z.object({ text: searchTextSchema }),
    examples: [
      'tollgate search req_01k9zc4t7q8wf3m2n5p6r8s0tv',
      'tollgate search you@example.com',
      'tollgate search sk-7Qb2...9fGh --json',
    ],
    run: async ({ text }, { env }) => {
      const hits = await withInstallation(env, ({ db }) =>
        searchInstallation(db, { text, actorUserId: null }),
      );
      const rows = hits.map(({ kind, id, label, detail, account }) => [
        kind,
        id,
        label === id ? '' : label,
        detail,
        account?.name ?? '',
      ]);
      return {
        json: { hits },
        text:
          rows.length > 0
            ? formatTable(COLUMNS, rows)
            : 'Nothing found. Search for an ID, or for the beginning of an email or a key name.',
      };
    },
  });
}
