import { z } from 'zod';

/** Response of `GET /v1/key`. */
const usd = z.string().meta({ description: 'USD, an exact decimal', example: '12.50' });

const windowSchema = z
  .object({ limit: z.int(), remaining: z.int(), reset_seconds: z.int() })
  .nullable()
  .meta({ description: 'null: no limit' });

const limitsSchema = z.object({ requests_per_minute: windowSchema, tokens_per_minute: windowSchema });

export const keySchema = z
  .object({
    object: z.literal('key'),
    id: z.string(),
    name: z.string(),
    prefix: z.string(),
    last4: z.string(),
    state: z.enum(['active', 'account_suspended']),
    allowed_models: z.array(z.string()).nullable().meta({ description: 'null: all models' }),
    max_budget_usd: usd.nullable().meta({ description: 'null: no limit' }),
    spent_usd: usd,
    held_usd: usd.meta({ description: 'On hold for requests in progress' }),
    remaining_usd: usd.nullable().meta({ description: 'Budget that is neither spent nor on hold' }),
    limits: limitsSchema,
    plan: z.object({
      id: z.string(),
      allowed_models: z.array(z.string()).nullable().meta({ description: 'null: all models' }),
      price_multiplier: z
        .number()
        .meta({ description: 'Multiplies the models’ prices; the prices of GET /v1/models include it' }),
      own_credential_fee: z.number().meta({
        description: 'Multiplies the models’ prices for requests with a credential of the account',
      }),
      limits: limitsSchema.meta({ description: 'For all keys of the account together' }),
      counts_cache_reads: z.boolean().nullable().meta({
        description: 'Whether tokens per minute count cached input; null: except for Claude models',
      }),
    }),
    balance: z
      .object({ available_usd: usd, held_usd: usd, remaining_usd: usd })
      .nullable()
      .meta({ description: 'Balance of the account; null: the plan is not prepaid' }),
    created_at: z.iso.datetime(),
    expires_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Key' });
