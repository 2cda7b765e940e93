import { createId } from '@tollgate/core/runtime/ids';
import { and, eq, gte, lte, ne, sql } from 'drizzle-orm';
import { toTextArray } from '../../array-text.ts';
import { ledgerEntries } from '../../schema/ledger.ts';
import { usageHourly } from '../../schema/requests.ts';
import { inTransaction, type Connection } from '../../transaction.ts';

const HOUR_MS = 3_600_000;
/** Rows of `usage_hourly` in a transaction: a settlement never waits long for one of them. */
const CHUNK_ROWS = 500;

export interface PostedUsage {
  entries: number;
  /** Net charges of accounts, corrections downward subtracted. */
  chargedNanoUsd: bigint;
}

interface PostingWindow {
  /** Only hours that had ended at this time. */
  before: Date;
  /** Hours that began then or later; without it all, however old. */
  since?: Date;
}

/**
 * Enters into the ledger what balances have paid for usage: an entry for each key and hour in which something was
 * charged since it was last posted, a reversed one if an estimate turned out too high. No balance changes.
 * Requests keep settling meanwhile, and any number of processes may post at the same time.
 */
export async function postUsage(db: Connection, window: PostingWindow): Promise<PostedUsage> {
  const posted: PostedUsage = { entries: 0, chargedNanoUsd: 0n };
  for (;;) {
    const chunk = await inTransaction(db, (tx) => postChunk(tx, window));
    posted.entries += chunk.entries;
    posted.chargedNanoUsd += chunk.chargedNanoUsd;
    if (chunk.rows < CHUNK_ROWS) return posted;
  }
}

async function postChunk(tx: Connection, window: PostingWindow): Promise<PostedUsage & { rows: number }> {
  // One chunk at a time over all processes, so that an hour's entries are numbered one after the other.
  await tx.drizzle.execute(sql`SELECT pg_advisory_xact_lock(hashtext('tollgate usage posting'))`);
  const rows = await tx.drizzle
    .select()
    .from(usageHourly)
    .where(
      and(
        ne(usageHourly.chargedNanoUsd, usageHourly.postedNanoUsd),
        lte(usageHourly.hour, new Date(window.before.getTime() - HOUR_MS)),
        window.since === undefined ? undefined : gte(usageHourly.hour, window.since),
      ),
    )
    .orderBy(usageHourly.keyId, usageHourly.hour, usageHourly.model)
    .limit(CHUNK_ROWS)
    // A row that a settlement holds is posted the next time, together with what that brings.
    .for('no key update', { skipLocked: true });
  if (rows.length === 0) return { rows: 0, entries: 0, chargedNanoUsd: 0n };
  const sums = sumByKeyAndHour(rows);
  const entries = await numberEntries(tx, sums);
  if (entries.length > 0) await tx.drizzle.insert(ledgerEntries).values(entries);
  await markPosted(tx, rows);
  return {
    rows: rows.length,
    entries: entries.length,
    chargedNanoUsd: sums.reduce((total, sum) => total + sum.amount, 0n),
  };
}

type UsageRow = typeof usageHourly.$inferSelect;
interface UsageSum {
  accountId: string;
  keyId: string;
  hour: Date;
  /** Below 0: less was charged than posted. Never 0. */
  amount: bigint;
}

function sumByKeyAndHour(rows: readonly UsageRow[]): UsageSum[] {
  const sums = new Map<string, UsageSum>();
  for (const { accountId, keyId, hour, chargedNanoUsd, postedNanoUsd } of rows) {
    const name = getName({ keyId, hour });
    const sum = sums.get(name) ?? { accountId, keyId, hour, amount: 0n };
    sum.amount += chargedNanoUsd - postedNanoUsd;
    sums.set(name, sum);
  }
  // One model's correction may make up for another's charge.
  return [...sums.values()].filter((sum) => sum.amount !== 0n);
}

async function numberEntries(
  tx: Connection,
  sums: readonly UsageSum[],
): Promise<(typeof ledgerEntries.$inferInsert)[]> {
  const before = await countEntries(tx, sums);
  return sums.map(({ accountId, keyId, hour, amount }) => {
    const name = getName({ keyId, hour });
    return {
      id: createId('led'),
      accountId,
      kind: 'usage',
      ...(amount > 0n
        ? { debit: 'wallet', credit: 'usage', amountNanoUsd: amount }
        : { debit: 'usage', credit: 'wallet', amountNanoUsd: -amount }),
      idempotencyKey: `usage ${name} ${(before.get(name) ?? 0) + 1}`,
      keyId,
      usageHour: hour,
    };
  });
}

/** @returns by key and hour, without hours that have no entries */
async function countEntries(tx: Connection, sums: readonly UsageSum[]): Promise<Map<string, number>> {
  const rows = await tx.drizzle
    .select({
      keyId: sql<string>`${ledgerEntries.keyId}`,
      hour: ledgerEntries.usageHour,
      count: sql<number>`count(*)::integer`,
    })
    .from(ledgerEntries)
    .innerJoin(
      sql`unnest(${typedKeys(sums)}::text::text[], ${getHours(sums)}::text::timestamptz[]) AS due(key_id, hour)`,
      sql`due.key_id = ${ledgerEntries.keyId} AND due.hour = ${ledgerEntries.usageHour}`,
    )
    .where(eq(ledgerEntries.kind, 'usage'))
    .groupBy(ledgerEntries.keyId, ledgerEntries.usageHour);
  return new Map(
    rows.flatMap(({ keyId, hour, count }) =>
      hour === null ? [] : [[getName({ keyId, hour }), count] as const],
    ),
  );
}

/** The rows are locked: what is charged is what it was when they were read. */
async function markPosted(tx: Connection, rows: readonly UsageRow[]): Promise<void> {
  const models = toTextArray(rows.map(({ model }) => model));
  await tx.drizzle.execute(sql`
    UPDATE usage_hourly AS usage SET posted_nano_usd = usage.charged_nano_usd
    FROM unnest(
      ${typedKeys(rows)}::text::text[], ${getHours(rows)}::text::timestamptz[], ${models}::text::text[]
    ) AS posted(key_id, hour, model)
    WHERE usage.key_id = posted.key_id AND usage.hour = posted.hour AND usage.model = posted.model`);
}

const typedKeys = (rows: readonly { keyId: string }[]) => toTextArray(rows.map(({ keyId }) => keyId));
const getHours = (rows: readonly { hour: Date }[]) => toTextArray(rows.map(({ hour }) => hour.toISOString()));

function getName({ keyId, hour }: { keyId: string; hour: Date }): string {
  return `${keyId} ${hour.toISOString()}`;
}
