import { bigint, boolean, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { moment } from './types.ts';

/** What an account may use, how fast, and how it pays. A change counts from the next request on. */
export const plans = pgTable('plans', {
  /** Its name: `standard`. */
  id: text('id').primaryKey(),
  /** null: every model. */
  allowedModels: text('allowed_models').array(),
  /** Requests per minute, over all keys of an account; null: no limit. */
  rpm: integer('rpm'),
  /** Tokens per minute, over all keys of an account; null: no limit. */
  tpm: integer('tpm'),
  /** What a request costs, in millionths of the model's price. */
  pricePpm: integer('price_ppm').notNull().default(1_000_000),
  /** Given once to an account whose owner has a verified email. */
  includedCreditNanoUsd: bigint('included_credit_nano_usd', { mode: 'bigint' }).notNull().default(0n),
  /** False: usage is recorded and nothing is charged. */
  isPrepaid: boolean('is_prepaid').notNull().default(true),
  /** Whether members that no request contract knows are forwarded; null: only if the plan charges no money. */
  forwardsUnknown: boolean('forwards_unknown'),
  createdAt: moment('created_at').notNull().defaultNow(),
});
