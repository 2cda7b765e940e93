import { formatUsd } from '@tollgate/core/money';
import { verifyLedger, type LedgerReport } from '@tollgate/db/queries/ledger/verify';
import type { LedgerCheck } from '@tollgate/db/queries/ledger/verify-checks';
import type { Command } from 'commander';
import { z } from 'zod';
import { addCommand } from '../command.ts';
import { withInstallation } from '../installation.ts';
import { counted, usd, whole } from '../output/format.ts';

/** Costs that are computed again unless all are asked for: a second or two. */
const RECOMPUTED_REQUESTS = 100_000;

/** What each check proves. */
const RULES: Record<LedgerCheck, string> = {
  key_spent: 'what a key has spent is what its settled requests cost',
  key_held: 'what a key holds is what its requests under way hold',
  key_budget: 'what a key has spent and holds is within its budget',
  key_account: 'a request is billed to the account of its key',
  usage_hourly: 'usage by the hour is the sum of its requests',
  balance_missing: 'every account has a balance',
  balance_available: 'a balance is the sum of its ledger entries less the usage that is not posted yet',
  balance_held: 'what a balance holds is what its requests under way hold',
  balance_floor: 'a balance covers what is held, but for payments that were taken back',
  entry_books: 'an entry takes an amount from one book and gives it to another, one of them the wallet',
  entry_guard: 'the triggers that keep the ledger are switched on',
  usage_posted: 'usage entries are what is marked as posted',
  request_once: 'a request is settled once',
  request_over_hold: 'no request cost more than was held for it',
  request_cost: 'tokens, price and multiplier come to the cost again',
  hold_lost: 'no hold outlives its replica by more than 60 s (`tollgate ledger recover` settles it)',
};

export function addLedgerVerify(ledger: Command): void {
  addCommand(ledger, {
    usage: 'verify',
    summary: 'Prove every rule of the ledger, or show what breaks it; exit code 1 then',
    options: [
      {
        flags: '--recompute',
        about: `compute the cost of every request again, not only of the newest ${whole(RECOMPUTED_REQUESTS)}`,
      },
    ],
    input: z.object({ recompute: z.boolean().default(false) }),
    examples: ['tollgate ledger verify', 'tollgate ledger verify --recompute --json'],
    run: async (input, { env, clock }) => {
      const startedAtMs = clock.nowMs();
      const report = await withInstallation(env, ({ db }) =>
        verifyLedger(db, { recompute: input.recompute ? null : RECOMPUTED_REQUESTS }),
      );
      const durationMs = clock.nowMs() - startedAtMs;
      const ok = report.findings.length === 0;
      return {
        json: { ok, ...reportJson(report), durationMs },
        text: `${ok ? `OK  ${Object.keys(RULES).length} rules hold` : faultsText(report)}\n${countsText(report, durationMs)}`,
        exitCode: ok ? 0 : 1,
      };
    },
  });
}

function reportJson({ findings, counted: counts, costs }: LedgerReport) {
  const { unpostedNanoUsd, ...rest } = counts;
  return {
    violations: findings.map(({ check, total, faults }) => ({
      check,
      rule: RULES[check],
      total,
      first: faults,
    })),
    checks: Object.keys(RULES).length,
    counted: rest,
    unpostedUsd: formatUsd(unpostedNanoUsd),
    recomputed: costs.requests,
    withoutPrice: costs.withoutPrice,
  };
}

function faultsText({ findings }: LedgerReport): string {
  return findings
    .map(({ check, total, faults }) => {
      const lines = faults.map(({ subject, expected, actual }) => `  ${subject}: ${actual}, not ${expected}`);
      const more = total > faults.length ? [`  and ${whole(total - faults.length)} more`] : [];
      return [`BROKEN  ${check}, ${counted(total, 'time')}: ${RULES[check]}`, ...lines, ...more].join('\n');
    })
    .join('\n');
}

function countsText({ counted: counts, costs }: LedgerReport, durationMs: number): string {
  const removed =
    costs.withoutPrice === 0 ? '' : `, ${whole(costs.withoutPrice)} of removed models could not be`;
  return [
    `${counted(counts.accounts, 'account')}, ${counted(counts.keys, 'key')}, ${counted(counts.requests, 'request')} (${whole(counts.held)} under way), ${counted(counts.hours, 'hour')} of usage, ${counts.entries === 1 ? '1 entry' : `${whole(counts.entries)} entries`}`,
    `${counted(costs.requests, 'cost')} computed again${removed}; ${usd(counts.unpostedNanoUsd)} of usage not posted yet; ${(durationMs / 1000).toFixed(1)} s`,
  ].join('\n');
}
