import { formatUsd } from '@tollgate/core/money/money';
import { decodeStoredUsage } from '@tollgate/dialects/usage/decode-stored-usage';
import { verifyLedger, type LedgerReport } from '@tollgate/db/queries/ledger/verify';
import { LEDGER_RULES } from '@tollgate/db/queries/ledger/verify-rules';
import type { Command } from 'commander';
import { z } from 'zod';
import { addCommand } from '../../command.ts';
import { withInstallation } from '../../installation.ts';
import { counted, usd, whole } from '../../output/format.ts';

/** Costs recomputed without --recompute; takes one or two seconds. */
const RECOMPUTED_REQUESTS = 100_000;

export function addLedgerVerify(ledger: Command): void {
  addCommand(ledger, {
    usage: 'verify',
    summary: 'Verify the ledger; exit code 1 if a rule is broken or a cost cannot be checked',
    options: [
      {
        flags: '--recompute',
        about: `recheck cost and usage of all requests, not only the newest ${whole(RECOMPUTED_REQUESTS)}`,
      },
    ],
    input: z.object({ recompute: z.boolean().default(false) }),
    examples: ['tollgate ledger verify', 'tollgate ledger verify --recompute --json'],
    run: async (input, { env, clock }) => {
      const startedAtMs = clock.nowMs();
      const report = await withInstallation(env, ({ db }) =>
        verifyLedger(db, {
          recompute: input.recompute ? null : RECOMPUTED_REQUESTS,
          decodeUsage: decodeStoredUsage,
        }),
      );
      const durationMs = clock.nowMs() - startedAtMs;
      const holds = report.findings.length === 0;
      const ok = holds && report.costs.withoutPrice === 0 && report.costs.unreadable === 0;
      return {
        json: { ok, ...reportJson(report), durationMs },
        text: `${holds ? rulesText(report) : faultsText(report)}\n${countsText(report, durationMs)}`,
        exitCode: ok ? 0 : 1,
      };
    },
  });
}

function reportJson({ findings, counted: counts, costs, usage }: LedgerReport) {
  const { unpostedNanoUsd, ...rest } = counts;
  return {
    violations: findings.map(({ check, total, faults }) => ({
      check,
      rule: LEDGER_RULES[check],
      total,
      first: faults,
    })),
    checks: Object.keys(LEDGER_RULES).length,
    counted: rest,
    unpostedUsd: formatUsd(unpostedNanoUsd),
    recomputed: costs.requests,
    withoutPrice: costs.withoutPrice,
    unreadable: costs.unreadable,
    usage,
  };
}

function rulesText({ costs }: LedgerReport): string {
  const rules = `${Object.keys(LEDGER_RULES).length} rules passed`;
  const reasons = [
    ...(costs.withoutPrice > 0
      ? [
          `${counted(costs.withoutPrice, 'cost')} could not be checked because an earlier release deleted the price with its model`,
        ]
      : []),
    ...(costs.unreadable > 0
      ? [`${counted(costs.unreadable, 'cost')} could not be checked because the stored bill is unreadable`]
      : []),
  ];
  return reasons.length === 0 ? `OK  ${rules}` : `INCOMPLETE  ${rules}, but ${reasons.join('; ')}`;
}

function faultsText({ findings }: LedgerReport): string {
  return findings
    .map(({ check, total, faults }) => {
      const lines = faults.map(({ subject, expected, actual }) => `  ${subject}: ${actual}, not ${expected}`);
      const more = total > faults.length ? [`  and ${whole(total - faults.length)} more`] : [];
      return [`BROKEN  ${check}, ${counted(total, 'time')}: ${LEDGER_RULES[check]}`, ...lines, ...more].join(
        '\n',
      );
    })
    .join('\n');
}

function countsText({ counted: counts, costs, usage }: LedgerReport, durationMs: number): string {
  const uncheckedCosts = costs.withoutPrice + costs.unreadable;
  const unchecked = uncheckedCosts === 0 ? '' : `, ${whole(uncheckedCosts)} could not be checked`;
  return [
    `${counted(counts.accounts, 'account')}, ${counted(counts.keys, 'key')}, ${counted(counts.requests, 'request')} (${whole(counts.held)} in flight), ${counted(counts.hours, 'hour')} of usage, ${counts.entries === 1 ? '1 entry' : `${whole(counts.entries)} entries`}`,
    `${counted(costs.requests, 'cost')} recomputed${unchecked}; ${usd(counts.unpostedNanoUsd)} of usage not posted yet; ${(durationMs / 1000).toFixed(1)} s`,
    ...(usage === null ? [] : [usageText(usage)]),
  ].join('\n');
}

/** Excludes requests whose usage was estimated. */
function usageText({ compared, absent, truncated, unreadable }: NonNullable<LedgerReport['usage']>): string {
  const reasons = [
    ...(absent > 0 ? [`${whole(absent)} without a stored report`] : []),
    ...(truncated > 0 ? [`${whole(truncated)} with a truncated report`] : []),
    ...(unreadable > 0 ? [`${whole(unreadable)} with an unreadable report`] : []),
  ];
  const unchecked = reasons.length === 0 ? '' : `; not checked: ${reasons.join(', ')}`;
  return `${counted(compared, 'request')} compared with the provider's usage${unchecked}`;
}
