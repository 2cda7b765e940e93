import { emailSchema } from '@tollgate/core/keys/credentials';
import { findFirstHour, timeZoneSchema } from '@tollgate/core/requests/last-days';
import { formatUsd } from '@tollgate/core/money/money';
import { findKeyOverview } from '@tollgate/db/queries/keys/key-overview';
import {
  listUsage,
  sumUsage,
  USAGE_GROUPS,
  type UsageFilter,
  type UsageGroup,
  type UsageRow,
  type UsageSum,
} from '@tollgate/db/queries/usage/usage';
import type { Connection } from '@tollgate/db/transaction';
import type { Command } from 'commander';
import { z } from 'zod';
import { addCommand } from '../command.ts';
import { withInstallation } from '../installation.ts';
import { integerOption } from '../options/integer-option.ts';
import { momentOption } from '../options/moment-option.ts';
import { iso, usd, whole } from '../output/format.ts';
import { formatTable, type Column } from '../output/table.ts';
import { getAccount } from './account/account-view.ts';
import { keyNotFound } from './key/key-not-found.ts';

const inputSchema = z
  .object({
    account: emailSchema.optional(),
    key: z.string().optional(),
    since: momentOption.optional(),
    days: integerOption({ min: 1, max: 1_100 }).optional(),
    timeZone: timeZoneSchema.optional(),
    groupBy: z.enum(USAGE_GROUPS, { error: `must be ${USAGE_GROUPS.join(', ')}` }).default('model'),
  })
  .refine(({ days, timeZone }) => days !== undefined || timeZone === undefined, {
    error: 'needs --days',
    path: ['timeZone'],
  })
  .refine(({ since, days }) => since === undefined || days === undefined, {
    error: 'cannot be used with --since',
    path: ['days'],
  });

type Input = z.infer<typeof inputSchema>;

export function addUsage(program: Command): void {
  addCommand(program, {
    usage: 'usage',
    summary: 'Show requests, tokens and cost by model, key or day',
    options: [
      { flags: '--account <email>', about: 'only this account' },
      { flags: '--key <KEY_ID>', about: 'only this key' },
      { flags: '--since <when>', about: 'a date or time; includes its whole hour' },
      { flags: '--days <n>', about: 'the last days of the calendar, today included, as in the console' },
      { flags: '--time-zone <name>', about: 'time zone of --days (default: UTC)' },
      { flags: '--group-by <what>', about: `${USAGE_GROUPS.join(', ')} (UTC) (default: model)` },
    ],
    input: inputSchema,
    examples: [
      'tollgate usage --group-by day --since 2026-11-01',
      'tollgate usage --account you@example.com --days 30 --time-zone Europe/Berlin',
      'tollgate usage --account you@example.com --group-by key --json',
    ],
    run: async (input, { env, clock }) => {
      const since = findSince(input, clock.nowMs());
      const { rows, total } = await withInstallation(env, async ({ db }) => {
        const filter = await readFilter(db, input, since);
        return { rows: await listUsage(db, filter, input.groupBy), total: await sumUsage(db, filter) };
      });
      return {
        json: {
          groupBy: input.groupBy,
          since: iso(since),
          rows: rows.map((row) => ({ ...getNames(row, input.groupBy), ...sumJson(row) })),
          total: sumJson(total),
        },
        text: rows.length > 0 ? getTable(rows, total, input.groupBy) : 'No requests yet',
      };
    },
  });
}

function findSince({ since, days, timeZone = 'UTC' }: Input, nowMs: number): Date | null {
  return days === undefined ? (since ?? null) : new Date(findFirstHour({ days, timeZone, nowMs }));
}

async function readFilter(db: Connection, input: Input, since: Date | null): Promise<UsageFilter> {
  const accountId = input.account === undefined ? null : (await getAccount(db, input.account)).id;
  if (input.key !== undefined && (await findKeyOverview(db, input.key)) === null)
    throw keyNotFound(input.key);
  return { accountId, keyId: input.key ?? null, since };
}

function getNames(row: UsageRow, group: UsageGroup): Record<string, string | null> {
  if (group === 'key') return { key: row.group, name: row.keyName };
  return { [group]: row.group === '' ? null : row.group };
}

function sumJson(sum: UsageSum) {
  return {
    requests: sum.requests,
    errors: sum.errors,
    inputTokens: sum.inputTokens,
    cacheReadTokens: sum.cacheReadTokens,
    cacheWriteTokens: sum.cacheWriteTokens,
    cacheWrite1hTokens: sum.cacheWrite1hTokens,
    outputTokens: sum.outputTokens,
    costUsd: formatUsd(sum.costNanoUsd),
    chargedUsd: formatUsd(sum.chargedNanoUsd),
  };
}

const NUMBERS: readonly Column[] = [
  'REQUESTS',
  'ERRORS',
  'INPUT',
  'CACHE READ',
  'CACHE WRITE',
  'OUTPUT',
  'COST',
  'CHARGED',
].map((title) => ({ title, align: 'right' }));

function getTable(rows: readonly UsageRow[], total: UsageSum, group: UsageGroup): string {
  const title = { model: 'MODEL', key: 'KEY', day: 'DAY (UTC)' }[group];
  const body = rows.map((row) => [getLabel(row, group), ...getCells(row)]);
  return formatTable([{ title }, ...NUMBERS], [...body, ['total', ...getCells(total)]]);
}

function getLabel(row: UsageRow, group: UsageGroup): string {
  if (group === 'key') return row.keyName === null ? row.group : `${row.group} ${row.keyName}`;
  return row.group === '' ? '(no model)' : row.group;
}

function getCells(sum: UsageSum): string[] {
  const counts = [
    sum.requests,
    sum.errors,
    sum.inputTokens,
    sum.cacheReadTokens,
    // 5-minute and 1-hour cache writes together; the JSON output lists them separately.
    sum.cacheWriteTokens + sum.cacheWrite1hTokens,
    sum.outputTokens,
  ];
  return [...counts.map(whole), usd(sum.costNanoUsd), usd(sum.chargedNanoUsd)];
}
