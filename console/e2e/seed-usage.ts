import { LATENCY_BOUNDS_MS } from '@tollgate/core/requests/latency';
import type { Database } from '@tollgate/db/client';
import { markUsageLate } from '@tollgate/db/queries/usage/rolls/late-hours';
import type { Installation } from './installation.ts';
import { openInstallationDatabase } from './seed.ts';

const MODELS = [
  'claude-sonnet-4-5',
  'gpt-5-mini',
  'claude-haiku-4-5',
  'gpt-5',
  'gpt-5-nano',
  'text-small',
  'o4-mini',
];

/** Two months of hourly usage of all keys of an account, more by day than by night. */
export async function seedMonths(installation: Installation, accountId: string): Promise<void> {
  const db = await openInstallationDatabase(installation);
  const keys = await db.sql<{ id: string }[]>`
    SELECT id FROM api_keys WHERE account_id = ${accountId} ORDER BY created_at`;
  for (const [place, key] of keys.entries()) await seedKeyUsage(db, { accountId, keyId: key.id, place });
  await markUsageLate(db, accountId);
  await db.sql`UPDATE balances SET available_nano_usd = 182401234567 WHERE account_id = ${accountId}`;
  await db.close();
}

async function seedKeyUsage(
  db: Database,
  { accountId, keyId, place }: { accountId: string; keyId: string; place: number },
): Promise<void> {
  const models = MODELS.slice(place, place + 4);
  // A latency tail above most requests; a few callers disconnect early.
  const around = (bucket: number) => db.sql`(
    SELECT array_agg(CASE i WHEN ${bucket} THEN n - n / 4 - n / 5 - n / 20 WHEN ${bucket + 1} THEN n / 4
      WHEN ${bucket - 1} THEN n / 5 WHEN ${bucket + 4} THEN n / 20 ELSE 0 END::int ORDER BY i)
    FROM generate_series(1, ${LATENCY_BOUNDS_MS.length + 1}) i, (SELECT load - load / 90 - load / 26 AS n) counted)`;
  await db.sql`
    INSERT INTO usage_hourly (hour, account_id, key_id, model, requests, errors, input_tokens, cache_read_tokens,
      output_tokens, cost_nano_usd, latency_counts, first_byte_counts)
    SELECT hour, ${accountId}, ${keyId}, model, load, load / 90, load * 812, load * 204, load * 96,
      load * 1234567 / (kind * ${place + 1}), ${around(15)}, ${around(10)}
    FROM generate_series(date_trunc('hour', now()) - interval '61 days', date_trunc('hour', now()), interval '1 hour')
        AS hours (hour),
      unnest(${models}::text[]) WITH ORDINALITY AS models (model, kind),
      LATERAL (SELECT greatest(1, (12 + 10 * sin((extract(hour FROM hour) - 8) / 24 * 6.283)
        + 6 * sin(extract(doy FROM hour))) / kind)::int) AS loads (load)
    -- An hour in which the key was really used stays as it was.
    ON CONFLICT DO NOTHING`;
}
