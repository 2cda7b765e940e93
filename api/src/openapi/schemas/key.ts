import { z } from 'zod';

/** What `GET /v1/key` answers. */
const usd = z.string().meta({ description: 'USD, an exact decimal', example: '12.50' });

const windowSchema = z
  .object({ limit: z.int(), remaining: z.int(), reset_seconds: z.int() })
  .nullable()
  .meta({ description: 'null: no limit' });

export const keySchema = z
  .object({
    object: z.literal('key'),
    id: z.string(),
    name: z.string(),
    prefix: z.string(),
    last4: z.string(),
    state: z.enum(['active', 'account_suspended']),
    allowed_models: z.array(z.string()).nullable().meta({ description: 'null: every model' }),
    max_budget_usd: usd.nullable().meta({ description: 'null: no limit' }),
    spent_usd: usd,
    remaining_usd: usd.nullable(),
    limits: z.object({ requests_per_minute: windowSchema, tokens_per_minute: windowSchema }),
    created_at: z.iso.datetime(),
    expires_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Key' });
