import type { PaymentRow } from '../../lib/trpc.ts';

type Tone = 'neutral' | 'ok' | 'warn' | 'bad';

/** Label and tone per payment state; `isOpen`: the payment may still be settled. */
export const PAYMENT_STATE_LOOKS: Record<
  PaymentRow['state'],
  { label: string; tone: Tone; isOpen: boolean }
> = {
  created: { label: 'Awaiting payment', tone: 'neutral', isOpen: true },
  pending: { label: 'Processing', tone: 'warn', isOpen: true },
  paid: { label: 'Paid', tone: 'ok', isOpen: false },
  failed: { label: 'Declined', tone: 'bad', isOpen: false },
  expired: { label: 'Expired', tone: 'neutral', isOpen: false },
  refunded_part: { label: 'Partially refunded', tone: 'neutral', isOpen: false },
  refunded: { label: 'Refunded', tone: 'neutral', isOpen: false },
  disputed: { label: 'Disputed', tone: 'bad', isOpen: false },
};
