import { findLastDays } from '@tollgate/core/requests/last-days';
import { isDrifting } from '@tollgate/core/money/cost-drift';
import { formatUsd } from '@tollgate/core/money/money';
import { listCostDrift, type CostDrift } from '@tollgate/db/queries/ledger/cost-drift';
import type { Command } from 'commander';
import { z } from 'zod';
import { addCommand } from '../../command.ts';
import { withInstallation } from '../../installation.ts';
import { integerOption } from '../../options/integer-option.ts';
import { counted, usd } from '../../output/format.ts';

const DEFAULT_DAYS = 7;

export function addLedgerDrift(ledger: Command): void {
  addCommand(ledger, {
    usage: 'drift',
    summary: 'Compare computed costs with costs reported by providers; exit code 1 if they differ by over 1%',
    options: [
      { flags: '--days <n>', about: `days of the calendar (UTC), today included (default: ${DEFAULT_DAYS})` },
    ],
    input: z.object({ days: integerOption({ min: 1, max: 400 }).default(DEFAULT_DAYS) }),
    examples: ['tollgate ledger drift', 'tollgate ledger drift --days 30 --json'],
    run: async ({ days }, { env, clock }) => {
      const since = new Date(findLastDays({ days, timeZone: 'UTC', nowMs: clock.nowMs() }).fromMs);
      const rows = await withInstallation(env, ({ db }) => listCostDrift(db, since));
      const ok = !rows.some(({ driftPpm }) => isDrifting(driftPpm));
      const none = `No provider reported a cost in the last ${counted(days, 'day')}`;
      return {
        json: { ok, routes: rows.map(driftJson) },
        text: rows.length === 0 ? none : rows.map(driftText).join('\n'),
        exitCode: ok ? 0 : 1,
      };
    },
  });
}

function driftJson(row: CostDrift) {
  const { reportedNanoUsd, computedNanoUsd, ...rest } = row;
  return {
    ...rest,
    reportedUsd: formatUsd(reportedNanoUsd),
    computedUsd: formatUsd(computedNanoUsd),
    isDrifting: isDrifting(row.driftPpm),
  };
}

function driftText(row: CostDrift): string {
  const { model, routeId, provider, requests, reportedNanoUsd, computedNanoUsd, driftPpm } = row;
  const percent = `${driftPpm < 0 ? '−' : '+'}${(Math.abs(driftPpm) / 10_000).toFixed(2)}%`;
  const route = [provider, routeId].filter((part) => part !== null).join(' ');
  const verdict = isDrifting(driftPpm) ? 'DRIFT' : 'OK';
  return `${verdict}  ${model} (${route}): ${counted(requests, 'request')}, reported ${usd(reportedNanoUsd)}, computed ${usd(computedNanoUsd)}, ${percent}`;
}
