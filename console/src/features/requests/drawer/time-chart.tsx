import { cn } from '../../../lib/cn.ts';
import type { RequestDetail } from '../../../lib/trpc.ts';
import { formatDuration } from '../../../lib/format/duration.ts';
import { Section } from './section.tsx';
import { getWaterfall, type Step, type StepKind } from './waterfall.ts';

const MIN_WIDTH_PERCENT = 0.8;

const LABELS: Record<StepKind, string> = {
  queue: 'Checks and limits',
  hold: 'Budget hold',
  failed: 'Failed attempt',
  pause: 'Waiting to retry',
  connect: 'Connecting',
  wait: 'First byte',
  receive: 'Receiving',
  other: 'Gateway',
};

/** Start and duration of each phase. The figures next to the bars make the chart accessible. */
export function TimeChart({ request }: { request: RequestDetail }) {
  if (request.isOpen) {
    return (
      <Section title="Timeline">
        <p className="text-[13px] text-ink-2">This request is in progress. Timings appear when it ends.</p>
      </Section>
    );
  }
  const steps = getWaterfall(request);
  const totalMs = Math.max(request.latencyMs, 1);
  return (
    <Section title="Timeline">
      <ul className="grid gap-1.5 text-[13px]">
        {steps.map((step) => (
          <StepRow key={`${step.kind} ${step.startMs}`} step={step} totalMs={totalMs} />
        ))}
        <li className="flex justify-between border-t pt-1.5">
          <span>Total</span>
          <span className="font-mono text-[12.5px] font-medium">{formatDuration(request.latencyMs)}</span>
        </li>
      </ul>
    </Section>
  );
}

function StepRow({ step, totalMs }: { step: Step; totalMs: number }) {
  const { kind, startMs, durationMs, attempt } = step;
  const widthPercent = Math.max((durationMs / totalMs) * 100, MIN_WIDTH_PERCENT);
  const leftPercent = Math.min((startMs / totalMs) * 100, 100 - widthPercent);
  return (
    <li className="grid grid-cols-[124px_minmax(0,1fr)_72px] items-center gap-2.5">
      <span className="truncate text-ink-2">
        {LABELS[kind]}
        {attempt !== undefined && ` ${attempt}`}
      </span>
      <span aria-hidden className="relative h-2 overflow-hidden rounded-[3px] bg-sunken">
        <span
          className={cn('absolute inset-y-0 rounded-[3px]', getColour(kind))}
          style={{ left: `${leftPercent}%`, width: `${widthPercent}%` }}
        />
      </span>
      <span className="text-right font-mono text-[12.5px]">{formatDuration(durationMs)}</span>
    </li>
  );
}

function getColour(kind: StepKind): string {
  switch (kind) {
    case 'queue':
    case 'hold':
    case 'pause':
    case 'other':
    case 'connect':
      return 'bg-ink-3';
    case 'failed':
      return 'bg-danger';
    case 'wait':
      return 'bg-chart-5';
    case 'receive':
      return 'bg-chart-1';
  }
}
