import { timeZoneSchema } from '@tollgate/core/requests/last-days';
import {
  listAccountsAtRisk,
  listTopAccounts,
  type AccountAtRisk,
  type TopAccount,
} from '@tollgate/db/queries/operator/account-figures';
import {
  listProviderFigures,
  readHealthCheckCost,
  readInstallationFigures,
  readInstallationSeries,
} from '@tollgate/db/queries/usage/providers/overview';
import { findUsagePeriods, findTimeZone } from '@tollgate/db/queries/usage/report/periods';
import { z } from 'zod';
import { operatorProcedure, router } from '../trpc.ts';
import type { Quantiles } from '../usage/read-times.ts';
import { readAttention, type AttentionView } from './attention.ts';
import {
  groupFigures,
  toGroup,
  toInstallationView,
  type GroupView,
  type InstallationView,
} from './overview-view.ts';

/** The same periods as on the overview of an account. */
const PERIODS = {
  today: { days: 1, bucket: 'hour' },
  '7d': { days: 7, bucket: 'day' },
  '30d': { days: 30, bucket: 'day' },
} as const;
const TOP_ACCOUNTS = 10;
const AT_RISK = { days: 3, errors: 20, errorPercent: 20 } as const;

export interface InstallationPeriod {
  from: string;
  /** The exclusive end. */
  to: string;
}

export interface OperatorOverview {
  /** The reader's time zone, or UTC if it is unknown. */
  timeZone: string;
  current: InstallationPeriod & { starts: string[] };
  previous: InstallationPeriod;
  totals: InstallationView & { driftPpm: number | null; latency: Quantiles; firstByte: Quantiles };
  previousTotals: InstallationView;
  /** Included in the provider cost of the totals, at no provider below. */
  healthCheckNanoUsd: string;
  /** One for each bucket. */
  points: InstallationView[];
  providers: GroupView[];
  models: GroupView[];
  topAccounts: (Omit<TopAccount, 'chargedNanoUsd'> & { revenueNanoUsd: string })[];
}

export interface AtRiskView {
  /** The limits from which an account is listed. */
  limits: { days: number; errors: number; errorPercent: number };
  accounts: (Omit<AccountAtRisk, 'availableNanoUsd' | 'dailyNanoUsd'> & {
    availableNanoUsd: string;
    dailyNanoUsd: string;
  })[];
  /** Accounts at risk that are not listed. */
  more: number;
}

const NO_REQUESTS: InstallationView = {
  requests: 0,
  errors: 0,
  revenueNanoUsd: '0',
  providerCostNanoUsd: '0',
};

/** The whole installation in figures. Everything is read from sums, which are at most some seconds old. */
export const operatorOverviewRouter = router({
  figures: operatorProcedure
    .input(z.object({ period: z.enum(['today', '7d', '30d']), timeZone: timeZoneSchema }))
    .query(async ({ ctx, input }): Promise<OperatorOverview> => {
      const { db, clock } = ctx.deps;
      const timeZone = await findTimeZone(db, input.timeZone);
      const { days, bucket } = PERIODS[input.period];
      const span = { kind: 'days', days } as const;
      const periods = await findUsagePeriods(db, { span, bucket, timeZone, nowMs: clock.nowMs() });
      const { current, previous } = periods;
      const [rows, cells, totals, previousTotals, checks, top] = await Promise.all([
        listProviderFigures(db, current),
        readInstallationSeries(db, { range: current, bucket, timeZone }),
        readInstallationFigures(db, current),
        readInstallationFigures(db, previous),
        readHealthCheckCost(db, current),
        listTopAccounts(db, { range: current, limit: TOP_ACCOUNTS }),
      ]);
      const byStart = new Map(cells.map((cell) => [cell.startMs, cell]));
      const { driftPpm, latency, firstByte } = toGroup(rows);
      return {
        timeZone,
        current: { ...toPeriod(current), starts: current.starts.map((start) => start.toISOString()) },
        previous: toPeriod(previous),
        totals: { ...toInstallationView(totals), driftPpm, latency, firstByte },
        previousTotals: toInstallationView(previousTotals),
        healthCheckNanoUsd: checks.toString(),
        points: current.starts.map((start) => {
          const cell = byStart.get(start.getTime());
          return cell === undefined ? NO_REQUESTS : toInstallationView(cell);
        }),
        providers: groupFigures(rows, 'provider'),
        models: groupFigures(rows, 'model'),
        topAccounts: top.map(({ chargedNanoUsd, ...account }) => ({
          ...account,
          revenueNanoUsd: chargedNanoUsd.toString(),
        })),
      };
    }),

  /** Accounts with a low balance or many failed requests. */
  atRisk: operatorProcedure.query(async ({ ctx }): Promise<AtRiskView> => {
    const { db, clock } = ctx.deps;
    const now = new Date(clock.nowMs());
    const found = await listAccountsAtRisk(db, { now, limits: AT_RISK, limit: TOP_ACCOUNTS });
    return {
      limits: AT_RISK,
      accounts: found.accounts.map(({ availableNanoUsd, dailyNanoUsd, ...account }) => ({
        ...account,
        availableNanoUsd: availableNanoUsd.toString(),
        dailyNanoUsd: dailyNanoUsd.toString(),
      })),
      more: Math.max(0, found.total - found.accounts.length),
    };
  }),

  attention: operatorProcedure.query(async ({ ctx }): Promise<AttentionView> => readAttention(ctx)),
});

function toPeriod({ from, to }: { from: Date; to: Date }): InstallationPeriod {
  return { from: from.toISOString(), to: to.toISOString() };
}
