import type { EntryRow } from '../../lib/trpc.ts';

/** Labels of ledger entry kinds. */
export const ENTRY_KINDS: Record<EntryRow['kind'], string> = {
  top_up: 'Top-up',
  credit: 'Credit',
  usage: 'Usage',
  adjustment: 'Adjustment',
  refund: 'Refund',
  dispute: 'Payment disputed',
  dispute_won: 'Dispute won',
};
