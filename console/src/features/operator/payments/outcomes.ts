import type { OperatorPaymentEvent } from '../operator-types.ts';

type Tone = 'neutral' | 'ok' | 'warn' | 'bad';

/** Label and tone of each outcome. */
export const OUTCOMES: Record<OperatorPaymentEvent['outcome'], { label: string; tone: Tone }> = {
  applied: { label: 'applied', tone: 'ok' },
  unchanged: { label: 'no change', tone: 'neutral' },
  ignored: { label: 'ignored', tone: 'neutral' },
  refused: { label: 'rejected', tone: 'bad' },
};
