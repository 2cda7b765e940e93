import { LEDGER_RULES } from '@tollgate/db/queries/ledger/verify-rules';
import { verifyLedger, type LedgerReport } from '@tollgate/db/queries/ledger/verify';
import {
  beatLedgerCheck,
  findNewestLedgerCheck,
  finishLedgerCheck,
} from '@tollgate/db/queries/operator/ledger-checks';
import { decodeStoredUsage } from '@tollgate/dialects/usage/decode-stored-usage';
import { z } from 'zod';
import type { Deps } from '../deps.ts';
import { describeError } from '../describe-error.ts';

/** Costs that are computed again, the newest first: a second or two. */
const RECOMPUTED_REQUESTS = 100_000;
const BEAT_MS = 10_000;

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
  state: 'running' | 'done' | 'lost';
  report: LedgerCheckReport | null;
}

/** The newest check; null: no one has asked for one yet. */
export async function readLedgerCheck({ db }: Deps): Promise<LedgerCheckView | null> {
  const check = await findNewestLedgerCheck(db);
  if (check === null) return null;
  const { startedBy, startedAt, finishedAt, isLost } = check;
  const report = reportSchema.safeParse(check.report);
  return {
    startedBy,
    startedAt: startedAt.toISOString(),
    state: isLost ? 'lost' : finishedAt === null ? 'running' : 'done',
    report: report.success ? report.data : null,
  };
}

/** Proves the ledger in the background, on one snapshot that no one waits for, and keeps what came of it. */
export async function runLedgerCheck({ db, log }: Deps, id: string): Promise<void> {
  const beat = setInterval(() => {
    beatLedgerCheck(db, id).catch((error: unknown) => {
      log.warn({ error: describeError(error) }, 'a check of the ledger cannot say that it lives');
    });
  }, BEAT_MS).unref();
  try {
    const startedMs = performance.now();
    const report = await verifyLedger(db, {
      recompute: RECOMPUTED_REQUESTS,
      decodeUsage: decodeStoredUsage,
    });
    await finishLedgerCheck(db, id, toReport(report, Math.round(performance.now() - startedMs)));
  } catch (error) {
    log.error({ error: describeError(error) }, 'a check of the ledger broke off');
    await finishLedgerCheck(db, id, null).catch(() => undefined);
  } finally {
    clearInterval(beat);
  }
}

function toReport({ findings, counted, costs, usage }: LedgerReport, durationMs: number): LedgerCheckReport {
  const { accounts, keys, requests, entries } = counted;
  return {
    violations: findings.map(({ check, total, faults }) => ({
      rule: LEDGER_RULES[check],
      total,
      first: faults,
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
