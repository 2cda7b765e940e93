import type { Grouping, Metric, RangeName, Step, UsageSearch } from './search.ts';

const DAY_MS = 86_400_000;
/** The same bounds as the server's. */
const MAX_DAYS_OF: Record<Step, number> = { hour: 14, day: 400, month: 1_100 };

export type Span =
  | { kind: 'days'; days: number }
  | { kind: 'months'; months: number }
  | { kind: 'dates'; from: string; to: string };

/** State of the page, with defaults and invalid combinations corrected. */
export interface UsageChoice {
  /** null: days that were picked. */
  range: RangeName | null;
  span: Span;
  step: Step;
  /** The intervals that fit the period. */
  steps: Step[];
  group: Grouping;
  metric: Metric;
  isCompared: boolean;
  isTable: boolean;
  keyId: string | undefined;
  model: string | undefined;
  tag: string | undefined;
}

const SPANS: Record<RangeName, { span: Span; days: number; step: Step }> = {
  today: { span: { kind: 'days', days: 1 }, days: 1, step: 'hour' },
  '7d': { span: { kind: 'days', days: 7 }, days: 7, step: 'day' },
  '30d': { span: { kind: 'days', days: 30 }, days: 30, step: 'day' },
  '90d': { span: { kind: 'days', days: 90 }, days: 90, step: 'day' },
  '12m': { span: { kind: 'months', months: 12 }, days: 365, step: 'month' },
};

export function readChoice(search: UsageSearch): UsageChoice {
  const { range, span, days, step } = readSpan(search);
  const steps = (['hour', 'day', 'month'] as const).filter(
    (one) => days <= MAX_DAYS_OF[one] && (one !== 'month' || days > 31),
  );
  const group = search.group ?? 'model';
  return {
    range,
    span,
    step: search.step !== undefined && steps.includes(search.step) ? search.step : step,
    steps,
    group,
    // Failed requests are only counted.
    metric: group === 'status' ? 'requests' : (search.metric ?? 'spend'),
    isCompared: search.compare === 'on',
    isTable: search.view === 'table',
    keyId: search.key,
    model: search.model,
    tag: search.tag,
  };
}

/** The span of a range, and the step that suits it. */
export function getSpan(range: RangeName): { span: Span; step: Step } {
  return SPANS[range];
}

function readSpan({ period, from, to }: UsageSearch) {
  if (from !== undefined && to !== undefined) {
    const days = Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1;
    if (days >= 1 && days <= MAX_DAYS_OF.month) {
      const step: Step = days <= 2 ? 'hour' : days <= 92 ? 'day' : 'month';
      return { range: null, span: { kind: 'dates', from, to } as const, days, step };
    }
  }
  const name = period ?? '30d';
  return { range: name, ...SPANS[name] };
}

/** The part of the choice that decides which requests count, for the server. */
export function toQuery({ span, step, keyId, model, tag }: UsageChoice, timeZone: string) {
  return {
    span,
    bucket: step,
    timeZone,
    ...(keyId !== undefined && { keyId }),
    ...(model !== undefined && { model }),
    ...(tag !== undefined && { tag }),
  };
}
