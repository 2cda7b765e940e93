import { timeZoneSchema } from '@tollgate/core/requests/last-days';
import type { UsageFigures } from '@tollgate/db/queries/usage/report/filter';
import { readFirstSteps, type FirstSteps } from '@tollgate/db/queries/usage/report/first-steps';
import { listUsageGroups, nameKeys } from '@tollgate/db/queries/usage/report/groups';
import { FORECAST_DAYS, readMonthSpend } from '@tollgate/db/queries/usage/report/forecast';
import { findTimeZone, findUsagePeriods } from '@tollgate/db/queries/usage/report/periods';
import { sumSpend } from '@tollgate/db/queries/usage/report/spend';
import { z } from 'zod';
import { memberProcedure, router } from '../trpc.ts';
import { readTimesOfGroups, type TimesOfGroups } from './read-group-times.ts';
import { readReport, type UsagePoints } from './read-report.ts';
import type { Times } from './read-times.ts';
import { groupingSchema, usageQuerySchema } from './usage-query.ts';

/** Sums of some hours. The amount is nano-dollars in decimal. */
export interface FiguresView {
  requests: number;
  /** Requests without a complete response, except those whose caller disconnected. */
  errors: number;
  inputTokens: number;
  outputTokens: number;
  costNanoUsd: string;
}

/** One number for each bucket. */
export interface PointsView extends Omit<UsagePoints, 'costNanoUsd'> {
  costNanoUsd: string[];
}

export interface PeriodView {
  from: string;
  /** The exclusive end. */
  to: string;
  /** When its buckets begin. */
  starts: string[];
}

export interface UsageReport {
  /** The reader's time zone, or UTC if it is unknown. */
  timeZone: string;
  current: PeriodView;
  previous: PeriodView & { points: PointsView };
  /** The largest groups, then all others as one, whose id is null; by tag only the groups, which may overlap. */
  series: { id: string | null; points: PointsView }[];
  totals: FiguresView;
  previousTotals: FiguresView;
  groups: { id: string; name: string | null; figures: FiguresView; previous: FiguresView }[];
  /** What the listed groups leave; null: nothing, or groups of tags, which may overlap. */
  others: FiguresView | null;
  /** The key of the filter; null: not a key of the account, or no filter. */
  keyName: string | null;
  /** null: not requested. */
  times: { latency: Times | null; firstByte: Times | null };
}

export interface KeySpend {
  id: string;
  name: string | null;
  requests: number;
  costNanoUsd: string;
  /** Over its whole life, of the budget; null: no limit, or the key has ended. */
  budget: { spentNanoUsd: string; maxNanoUsd: string } | null;
}

export interface SpendView {
  costNanoUsd: string;
  /** Of as many days right before, up to the same time of day. */
  previousNanoUsd: string;
}

export interface MonthView {
  /** The first moment of the next month. */
  to: string;
  spentNanoUsd: string;
  /** null: the account was used for less than `averagedDays`, or not at all in them. */
  forecastNanoUsd: string | null;
  /** The last full days, whose average continues until the end of the month. */
  averagedDays: number;
}

/** As many days back, today included. */
const SPEND_DAYS = [1, 7, 30] as const;
const MAX_TIMED_GROUPS = 100;

export const usageRouter = router({
  report: memberProcedure('viewer')
    .input(usageQuerySchema)
    .input(
      z.object({
        groupBy: groupingSchema,
        order: z.enum(['cost', 'requests', 'tokens']).default('cost'),
        times: z
          .array(z.enum(['latency', 'firstByte']))
          .max(2)
          .default([]),
      }),
    )
    .query(async ({ ctx, input }): Promise<UsageReport> => {
      const nowMs = ctx.deps.clock.nowMs();
      const report = await readReport(ctx.deps.db, { ...input, accountId: ctx.account.id, nowMs });
      const { current, previous } = report.periods;
      return {
        timeZone: report.timeZone,
        current: toPeriodView(current),
        previous: { ...toPeriodView(previous), points: toPointsView(report.previous) },
        series: report.series.map(({ id, points }) => ({ id, points: toPointsView(points) })),
        totals: toFiguresView(report.totals),
        previousTotals: toFiguresView(report.previousTotals),
        groups: report.groups.map((group) => ({
          ...group,
          figures: toFiguresView(group.figures),
          previous: toFiguresView(group.previous),
        })),
        others: report.others && toFiguresView(report.others),
        keyName: report.keyName,
        times: report.times,
      };
    }),

  /** What was spent today, in 7 days and in 30, each next to the time before. */
  spend: memberProcedure('viewer')
    .input(z.object({ timeZone: timeZoneSchema }))
    .query(async ({ ctx, input }): Promise<Record<'today' | 'week' | 'month', SpendView>> => {
      const { db, clock } = ctx.deps;
      const timeZone = await findTimeZone(db, input.timeZone);
      const nowMs = clock.nowMs();
      const periods = await Promise.all(
        SPEND_DAYS.map(async (days) =>
          findUsagePeriods(db, { span: { kind: 'days', days }, bucket: 'day', timeZone, nowMs }),
        ),
      );
      const spans = periods.flatMap(({ current, previous }) => [current, previous]);
      const sums = await sumSpend(db, { accountId: ctx.account.id, spans });
      const getView = (place: number): SpendView => ({
        costNanoUsd: String(sums[2 * place] ?? 0n),
        previousNanoUsd: String(sums[2 * place + 1] ?? 0n),
      });
      return { today: getView(0), week: getView(1), month: getView(2) };
    }),

  /** What the running month cost, and will have cost. */
  month: memberProcedure('viewer').query(async ({ ctx }): Promise<MonthView> => {
    const { db, clock } = ctx.deps;
    const timeZone = await findTimeZone(db, ctx.timeZone);
    const month = await readMonthSpend(db, { accountId: ctx.account.id, timeZone, nowMs: clock.nowMs() });
    return {
      to: month.to.toISOString(),
      spentNanoUsd: month.spentNanoUsd.toString(),
      forecastNanoUsd: month.forecastNanoUsd?.toString() ?? null,
      averagedDays: FORECAST_DAYS,
    };
  }),

  /** How long the requests of some groups of a report took, of all others, and of all together. */
  groupTimes: memberProcedure('viewer')
    .input(usageQuerySchema)
    .input(
      z.object({
        groupBy: z.enum(['model', 'key', 'tag']),
        ids: z.array(z.string().max(200)).min(1).max(MAX_TIMED_GROUPS),
      }),
    )
    .query(async ({ ctx, input }): Promise<TimesOfGroups> => {
      const { db, clock } = ctx.deps;
      const timeZone = await findTimeZone(db, input.timeZone);
      const { current } = await findUsagePeriods(db, { ...input, timeZone, nowMs: clock.nowMs() });
      const { keyId, model, tag } = input;
      const range = { accountId: ctx.account.id, from: current.from, to: current.to, keyId, model, tag };
      return readTimesOfGroups(db, { range, groups: { by: input.groupBy, ids: input.ids } });
    }),

  /** The keys that spent most in a span, the first one first. */
  topKeys: memberProcedure('viewer')
    .input(usageQuerySchema)
    .input(z.object({ limit: z.int().min(1).max(20).default(5) }))
    .query(async ({ ctx, input }): Promise<{ keys: KeySpend[] }> => {
      const { db, clock } = ctx.deps;
      const [accountId, nowMs] = [ctx.account.id, clock.nowMs()];
      const timeZone = await findTimeZone(db, input.timeZone);
      const { current } = await findUsagePeriods(db, { ...input, timeZone, nowMs });
      const { model, keyId, tag } = input;
      const range = { accountId, from: current.from, to: current.to, model, keyId, tag };
      const spent = await listUsageGroups(db, { range, by: 'key', order: 'cost', limit: input.limit });
      const named = await nameKeys(db, { accountId, ids: spent.map(({ id }) => id), nowMs });
      const byId = new Map(named.map((key) => [key.id, key]));
      return { keys: spent.map(({ id, ...figures }) => toKeySpend(id, figures, byId.get(id))) };
    }),

  /** How far the account has come on the way to its first call. */
  firstSteps: memberProcedure('viewer').query(async ({ ctx }): Promise<FirstSteps> =>
    readFirstSteps(ctx.deps.db, ctx.account.id),
  ),
});

function toKeySpend(
  id: string,
  { requests, costNanoUsd }: UsageFigures,
  key: Awaited<ReturnType<typeof nameKeys>>[number] | undefined,
): KeySpend {
  const max = key === undefined || key.hasEnded ? null : key.maxBudgetNanoUsd;
  return {
    id,
    name: key?.name ?? null,
    requests,
    costNanoUsd: costNanoUsd.toString(),
    budget:
      key === undefined || max === null
        ? null
        : { spentNanoUsd: key.spentNanoUsd.toString(), maxNanoUsd: max.toString() },
  };
}

function toFiguresView({
  requests,
  errors,
  inputTokens,
  outputTokens,
  costNanoUsd,
}: UsageFigures): FiguresView {
  return { requests, errors, inputTokens, outputTokens, costNanoUsd: costNanoUsd.toString() };
}

function toPointsView(points: UsagePoints): PointsView {
  return { ...points, costNanoUsd: points.costNanoUsd.map(String) };
}

function toPeriodView({ from, to, starts }: { from: Date; to: Date; starts: Date[] }): PeriodView {
  return {
    from: from.toISOString(),
    to: to.toISOString(),
    starts: starts.map((start) => start.toISOString()),
  };
}
