/** The states of a payment, from its start on. */
export const PAYMENT_STATES = [
  'created',
  'pending',
  'paid',
  'failed',
  'expired',
  'refunded_part',
  'refunded',
  'disputed',
] as const;
