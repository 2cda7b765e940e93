import { LEDGER_RULES } from '@tollgate/db/queries/ledger/verify-rules';
import { verifyLedger, type LedgerReport } from '@tollgate/db/queries/ledger/verify';
import { findNewestLedgerCheck, finishLedgerCheck } from '@tollgate/db/queries/operator/ledger-checks';
import { decodeStoredUsage } from '@tollgate/dialects/usage/decode-stored-usage';
import { z } from 'zod';
import type { Deps } from '../deps.ts';
import { describeError } from '../describe-error.ts';
import { defineQueuedJob, type JobDeps } from '../jobs/job-kind.ts';

/** Costs that are computed again, the newest first: a second or two. */
const RECOMPUTED_REQUESTS = 100_000;

const reportSchema = z.object({
  violations: z.array(
    z.object({
      rule: z.string(),
      total: z.number(),
      first: z.array(z.object({ subject: z.string(), expected: z.string(), actual: z.string() })),
    }),
  ),
  rules: z.number(),
  accounts: z.number(),
  keys: z.number(),
  requests: z.number(),
  entries: z.number(),
  recomputed: z.number(),
  /** Requests whose counts were compared with the provider's usage; absent in reports of earlier releases. */
  usageCompared: z.number().optional(),
  usageNotChecked: z.number().optional(),
  durationMs: z.number(),
});
export type LedgerCheckReport = z.infer<typeof reportSchema>;

export interface LedgerCheckView {
  startedBy: string | null;
  startedAt: string;
  /** Also `running` while it waits in the queue. */
  state: 'running' | 'done' | 'failed';
  report: LedgerCheckReport | null;
}

/** The newest verification; null: none yet. */
export async function readLedgerCheck({ db }: Deps): Promise<LedgerCheckView | null> {
  const check = await findNewestLedgerCheck(db);
  if (check === null) return null;
  const { startedBy, startedAt, finishedAt } = check;
  const report = reportSchema.safeParse(check.report);
  return {
    startedBy,
    startedAt: startedAt.toISOString(),
    state: finishedAt === null ? 'running' : check.report === null ? 'failed' : 'done',
    report: report.success ? report.data : null,
  };
}

/** Verifies the ledger on one snapshot, which locks nothing, and stores the result. A process that is killed is replaced. */
export const verifyLedgerJob = defineQueuedJob({
  name: 'verify-ledger',
  backoff: { firstSeconds: 60, maxSeconds: 3600 },
  timeoutSeconds: 6 * 3600,
  pollSeconds: 60,
  concurrency: 1,
  canRun: () => true,
  run: runLedgerCheck,
});

/** @throws Error if the result cannot be stored: the job is retried */
async function runLedgerCheck({ db, log }: JobDeps, { checkId }: { checkId: string }): Promise<void> {
  const startedMs = performance.now();
  let report: LedgerCheckReport | null = null;
  try {
    const verified = await verifyLedger(db, {
      recompute: RECOMPUTED_REQUESTS,
      decodeUsage: decodeStoredUsage,
    });
    report = toReport(verified, Math.round(performance.now() - startedMs));
  } catch (error) {
    log.error({ checkId, error: describeError(error) }, 'the ledger could not be checked');
  }
  await finishLedgerCheck(db, checkId, report);
}

function toReport({ findings, counted, costs, usage }: LedgerReport, durationMs: number): LedgerCheckReport {
  const { accounts, keys, requests, entries } = counted;
  return {
    violations: findings.map(({ check, total, violations }) => ({
      rule: LEDGER_RULES[check],
      total,
      first: violations,
    })),
    rules: Object.keys(LEDGER_RULES).length,
    accounts,
    keys,
    requests,
    entries,
    recomputed: costs.requests,
    ...(usage !== null && {
      usageCompared: usage.compared,
      usageNotChecked: usage.absent + usage.truncated + usage.unreadable,
    }),
    durationMs,
  };
}
