import type { OperatorPaymentEvent } from '../operator-types.ts';

type Tone = 'neutral' | 'ok' | 'warn' | 'bad';

/** How each outcome reads. */
export const OUTCOMES: Record<OperatorPaymentEvent['outcome'], { label: string; tone: Tone }> = {
  applied: { label: 'applied', tone: 'ok' },
  unchanged: { label: 'known already', tone: 'neutral' },
  ignored: { label: 'none of ours', tone: 'neutral' },
  refused: { label: 'refused', tone: 'bad' },
};
