import { useState } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { cn } from '../../../lib/cn.ts';
import type { RequestDetail } from '../../../lib/trpc.ts';
import { formatDuration } from '../../../lib/format/duration.ts';
import { formatCost } from '../../../lib/format/money.ts';
import { Section } from './section.tsx';
import { getPlainSteps, type PlainKind, type PlainStep } from './plain-steps.ts';
import { getWaterfall, type Step, type StepKind } from './waterfall.ts';

const MIN_WIDTH_PERCENT = 0.8;

const LABELS: Record<StepKind | PlainKind, string> = {
  gateway: 'Gateway',
  queue: 'Checks and limits',
  hold: 'Budget hold',
  failed: 'Failed attempt',
  pause: 'Waiting to retry',
  connect: 'Connecting',
  wait: 'First byte',
  receive: 'Receiving',
  other: 'Gateway',
};

/**
 * Start and duration of each phase. The figures next to the bars make the chart accessible. What the gateway does inside is
 * shown only in the details.
 */
export function TimeChart({ request }: { request: RequestDetail }) {
  const [isDetailed, setIsDetailed] = useState(false);
  if (request.isOpen) {
    return (
      <Section title="Timeline">
        <p className="text-[13px] text-ink-2">This request is in progress. Timings appear when it ends.</p>
      </Section>
    );
  }
  const phases = getWaterfall(request);
  const plain = getPlainSteps(phases);
  const steps: readonly (Step | PlainStep)[] = isDetailed ? phases : plain;
  const { heldNanoUsd } = request;
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
        {isDetailed && heldNanoUsd !== '0' && (
          <li className="flex justify-between text-ink-2">
            <span>On hold until the cost was known</span>
            <span className="font-mono text-[12.5px]">{formatCost(heldNanoUsd)}</span>
          </li>
        )}
      </ul>
      {(phases.length > plain.length || heldNanoUsd !== '0') && (
        <Button
          size="sm"
          variant="ghost"
          className="mt-1.5 -ml-2.5"
          aria-expanded={isDetailed}
          onClick={() => setIsDetailed(!isDetailed)}
        >
          {isDetailed ? 'Hide details' : 'Show details'}
        </Button>
      )}
    </Section>
  );
}

function StepRow({ step, totalMs }: { step: Step | PlainStep; totalMs: number }) {
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

function getColour(kind: StepKind | PlainKind): string {
  switch (kind) {
    case 'gateway':
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
