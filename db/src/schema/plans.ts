import { FULL_PRICE_PPM } from '@tollgate/core/money/money';
import { bigint, boolean, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { moment } from './types.ts';

/** Models, limits and billing of an account. A change applies from the next request on. */
export const plans = pgTable('plans', {
  /** Its name: `standard`. */
  id: text('id').primaryKey(),
  /** null: every model. */
  allowedModels: text('allowed_models').array(),
  /** Requests per minute, over all keys of an account; null: no limit. */
  rpm: integer('rpm'),
  /** Tokens per minute, over all keys of an account; null: no limit. */
  tpm: integer('tpm'),
  /** Multiplier of the model's price, in millionths. */
  pricePpm: integer('price_ppm').notNull().default(FULL_PRICE_PPM),
  /** The same for requests with a credential of the account: the fee of the gateway. */
  ownCredentialPpm: integer('own_credential_ppm').notNull().default(0),
  /** Given once to an account whose owner has a verified email. */
  includedCreditNanoUsd: bigint('included_credit_nano_usd', { mode: 'bigint' }).notNull().default(0n),
  /** False: usage is recorded and nothing is charged. */
  isPrepaid: boolean('is_prepaid').notNull().default(true),
  /** Whether members that no request contract knows are forwarded; null: only if the plan charges no money. */
  forwardsUnknown: boolean('forwards_unknown'),
  /** Whether tokens per minute count input that was read from a provider's cache; null: except for Claude models. */
  countsCacheReads: boolean('counts_cache_reads'),
  createdAt: moment('created_at').notNull().defaultNow(),
});
