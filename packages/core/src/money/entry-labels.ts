/** Labels of the kinds of ledger entries: of one entry, and of the sum of a kind. In the order of a statement. */
export const ENTRY_LABELS = {
  top_up: { one: 'Top-up', sum: 'Top-ups' },
  credit: { one: 'Credit', sum: 'Credit' },
  usage: { one: 'Usage', sum: 'Usage' },
  adjustment: { one: 'Adjustment', sum: 'Adjustments' },
  refund: { one: 'Refund', sum: 'Refunds' },
  dispute: { one: 'Payment disputed', sum: 'Payments disputed' },
  dispute_won: { one: 'Dispute won', sum: 'Disputes won' },
} as const;

export type EntryKind = keyof typeof ENTRY_LABELS;

/** Kinds in the order of a statement. */
const ENTRY_KINDS: readonly EntryKind[] = [
  'top_up',
  'credit',
  'usage',
  'adjustment',
  'refund',
  'dispute',
  'dispute_won',
];

/** The kinds that a statement shows: top-ups and usage always, others if they changed the balance. */
export function listShownKinds(sums: Readonly<Record<EntryKind, string>>): EntryKind[] {
  return ENTRY_KINDS.filter((kind) => sums[kind] !== '0' || kind === 'top_up' || kind === 'usage');
}
