import type { PaymentRow } from '../../lib/trpc.ts';

type Tone = 'neutral' | 'ok' | 'warn' | 'bad';

/** How each state reads, and whether the payment may still be settled by itself. */
export const PAYMENT_STATES: Record<PaymentRow['state'], { label: string; tone: Tone; isOpen: boolean }> = {
  created: { label: 'not paid yet', tone: 'neutral', isOpen: true },
  pending: { label: 'being confirmed', tone: 'warn', isOpen: true },
  paid: { label: 'paid', tone: 'ok', isOpen: false },
  failed: { label: 'declined', tone: 'bad', isOpen: false },
  expired: { label: 'not paid in time', tone: 'neutral', isOpen: false },
  refunded_part: { label: 'refunded in part', tone: 'neutral', isOpen: false },
  refunded: { label: 'refunded', tone: 'neutral', isOpen: false },
  disputed: { label: 'disputed', tone: 'bad', isOpen: false },
};
