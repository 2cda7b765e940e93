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
        text: `${holds ? rulesText(report) : violationsText(report)}\n${countsText(report, durationMs)}`,
        exitCode: ok ? 0 : 1,
      };
    },
  });
}

function reportJson({ findings, counted: counts, costs, usage }: LedgerReport) {
  const { unpostedNanoUsd, ...rest } = counts;
  return {
    violations: findings.map(({ check, total, violations }) => ({
      check,
      rule: LEDGER_RULES[check],
      total,
      first: violations,
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

function violationsText({ findings }: LedgerReport): string {
  return findings
    .map(({ check, total, violations }) => {
      const lines = violations.map(
        ({ subject, expected, actual }) => `  ${subject}: ${actual}, not ${expected}`,
      );
      const more = total > violations.length ? [`  and ${whole(total - violations.length)} more`] : [];
      return [`BROKEN  ${check}, ${counted(total, 'time')}: ${LEDGER_RULES[check]}`, ...lines, ...more].join(
        '\n',
      );
    })
    .join('\n');
}

/** Each number of requests is followed by the number of requests that it leaves out, and why. */
function countsText({ counted: counts, costs, usage }: LedgerReport, durationMs: number): string {
  return [
    `${counted(counts.accounts, 'account')}, ${counted(counts.keys, 'key')}, ${counted(counts.requests, 'request')} (${whole(counts.held)} in flight), ${counted(counts.hours, 'hourly total')} of usage, ${counts.entries === 1 ? '1 ledger entry' : `${whole(counts.entries)} ledger entries`}`,
    costsText(counts, costs),
    ...(usage === null ? [] : [usageText(counts, usage)]),
    `${usd(counts.unpostedNanoUsd)} of usage not posted yet; ${(durationMs / 1000).toFixed(1)} s`,
  ].join('\n');
}

function costsText(counts: LedgerReport['counted'], costs: LedgerReport['costs']): string {
  const uncheckedCosts = costs.withoutPrice + costs.unreadable;
  const done = costs.requests + uncheckedCosts;
  const older = counts.requests - counts.held - counts.withoutPrice - done;
  const others = [
    ...(uncheckedCosts > 0 ? [`${whole(uncheckedCosts)} without a readable price or bill`] : []),
    ...(counts.withoutPrice > 0
      ? [`${whole(counts.withoutPrice)} without a cost, because no provider was called`]
      : []),
    ...(older > 0 ? [`${whole(older)} older without --recompute`] : []),
  ];
  return withOthers(`${counted(costs.requests, 'cost')} recomputed`, others);
}

function usageText(counts: LedgerReport['counted'], usage: NonNullable<LedgerReport['usage']>): string {
  const { compared, absent, truncated, unreadable } = usage;
  const done = compared + absent + truncated + unreadable;
  const older = counts.requests - counts.held - counts.estimated - counts.withoutUsage - done;
  const others = [
    ...(absent > 0 ? [`${whole(absent)} without a stored report`] : []),
    ...(truncated > 0 ? [`${whole(truncated)} with a truncated report`] : []),
    ...(unreadable > 0 ? [`${whole(unreadable)} with an unreadable report`] : []),
    ...(counts.estimated > 0 ? [`${whole(counts.estimated)} with estimated usage`] : []),
    ...(counts.withoutUsage > 0 ? [`${whole(counts.withoutUsage)} without usage`] : []),
    ...(older > 0 ? [`${whole(older)} older without --recompute`] : []),
  ];
  return withOthers(`${counted(compared, 'request')} compared with the provider's usage`, others);
}

function withOthers(text: string, others: readonly string[]): string {
  return others.length === 0 ? text : `${text}; not checked: ${others.join(', ')}`;
}
