import type { LedgerCheck } from './verify-checks.ts';

/** The rule that each check verifies. */
export const LEDGER_RULES: Record<LedgerCheck, string> = {
  key_spent: 'what a key has spent is what its settled requests cost',
  key_held: 'the amount on hold of a key is the sum of its holds',
  key_budget: 'what a key has spent and holds is within its budget',
  key_carried: 'a rotated key and the keys that replace it share one budget',
  key_account: 'a request is billed to the account of its key',
  usage_hourly: 'usage by the hour is the sum of its requests',
  balance_missing: 'every account has a balance',
  balance_available: 'a balance is the sum of its ledger entries less the usage that is not posted yet',
  balance_held: 'the amount on hold of a balance is the sum of its holds',
  balance_floor: 'a balance covers all holds, unless payments were reversed',
  entry_books: 'an entry takes an amount from one book and gives it to another, one of them the wallet',
  entry_guard: 'the triggers that keep the ledger are switched on',
  document_amount: 'a receipt or credit note has the amount of its ledger entry',
  usage_posted: 'usage entries are what is marked as posted',
  usage_rolled: 'sums of usage by the hour are what reports read in their place, or marked to be made again',
  request_once: 'a request is settled once',
  request_over_hold: 'no request cost more than was held for it',
  request_cost: 'tokens, price and multiplier come to the cost again, by a price that the model had then',
  request_usage: 'the counts of a request are the counts that its provider reported',
  hold_listed: 'the list of requests on hold is complete and correct',
  hold_lost: 'no hold outlives its replica by more than 60 s (`tollgate ledger recover` settles it)',
};
