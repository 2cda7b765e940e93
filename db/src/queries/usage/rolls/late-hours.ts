import { sql } from 'drizzle-orm';
import { toTextArray } from '../../../array-text.ts';
import type { Connection } from '../../../transaction.ts';
import { getDay, insertDays, insertHours } from './roll-sums.ts';

/** A request that began longer ago than this marks its hour when it is settled. */
export const LATE_AFTER_MS = 3_600_000;
/** Hours of keys per transaction. */
const AT_ONCE = 500;

/** The hour of an account, or the day of a key. */
interface Place {
  accountId: string;
  /** '' for all keys. */
  keyId: string;
  at: Date;
}

/**
 * Marks every hour that an account has used as written late: for usage that was not written
 * by the ledger.
 */
export async function markUsageLate(db: Connection, accountId: string): Promise<void> {
  await db.drizzle.execute(sql`
    INSERT INTO usage_late_hours SELECT DISTINCT account_id, key_id, hour FROM usage_hourly
    WHERE account_id = ${accountId}`);
}

/**
 * Sums up again the hours that changed since they were rolled up, and removes their marks; hours that are not in
 * the ledger yet stay marked.
 * @returns true if more may remain
 */
export async function redoLateHours(tx: Connection, until: Date): Promise<boolean> {
  // Whatever was written with a mark that is taken out here is seen by the statements after this one.
  const marks = await tx.drizzle.execute<{ account_id: string; key_id: string; hour: string }>(sql`
    WITH places AS (
      SELECT DISTINCT l.account_id, l.key_id, l.hour FROM usage_late_hours l
      WHERE l.hour < ${until.toISOString()}::timestamptz AND NOT EXISTS (
        SELECT FROM usage_hourly u
        WHERE u.key_id = l.key_id AND u.hour = l.hour AND u.charged_nano_usd <> u.posted_nano_usd)
      LIMIT ${AT_ONCE}
    ), taken AS (
      DELETE FROM usage_late_hours l USING places p
      WHERE l.account_id = p.account_id AND l.key_id = p.key_id AND l.hour = p.hour
    )
    SELECT account_id, key_id, hour FROM places`);
  if (marks.length === 0) return false;
  const hours = marks.map((mark) => ({ accountId: mark.account_id, keyId: '', at: new Date(mark.hour) }));
  await redoHours(tx, listOnce(hours));
  const days = marks.map((mark) => ({
    accountId: mark.account_id,
    keyId: mark.key_id,
    at: getDay(new Date(mark.hour)),
  }));
  await redoDays(tx, listOnce(days.filter(({ at }) => at < getDay(until))));
  return marks.length === AT_ONCE;
}

function listOnce(places: Place[]): Place[] {
  return [
    ...new Map(
      places.map((place) => [`${place.accountId} ${place.keyId} ${place.at.getTime()}`, place]),
    ).values(),
  ];
}

async function redoHours(tx: Connection, hours: Place[]): Promise<void> {
  await tx.drizzle.execute(sql`
    DELETE FROM usage_account_hourly r USING ${listed(hours)} WHERE r.account_id = p.account_id AND r.hour = p.at`);
  await tx.drizzle.execute(
    insertHours(sql`(
      SELECT u.* FROM ${listed(hours)} JOIN usage_hourly u ON u.account_id = p.account_id AND u.hour = p.at) AS late`),
  );
}

async function redoDays(tx: Connection, days: Place[]): Promise<void> {
  if (days.length === 0) return;
  await tx.drizzle.execute(sql`
    DELETE FROM usage_key_daily r USING ${listed(days)}
    WHERE r.account_id = p.account_id AND r.key_id = p.key_id AND r.day = p.at`);
  await tx.drizzle.execute(
    insertDays(sql`(
      SELECT u.* FROM ${listed(days)} JOIN usage_hourly u
        ON u.key_id = p.key_id AND u.account_id = p.account_id
        AND u.hour >= p.at AND u.hour < p.at + interval '24 hours') AS late`),
  );
}

function listed(places: readonly Place[]) {
  return sql`unnest(
    ${toTextArray(places.map(({ accountId }) => accountId))}::text::text[],
    ${toTextArray(places.map(({ keyId }) => keyId))}::text::text[],
    ${toTextArray(places.map(({ at }) => at.toISOString()))}::text::timestamptz[]) AS p(account_id, key_id, at)`;
}
