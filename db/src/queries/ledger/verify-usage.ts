import type { TokenUsage } from '@tollgate/core/money/money';
import { isTruncatedUsage } from '@tollgate/core/money/rates/raw-usage';
import { and, desc, eq, lt, sql, type SQL } from 'drizzle-orm';
import { requests } from '../../schema/requests.ts';
import type { Connection } from '../../transaction.ts';
import { readBilledUsage } from '../requests/billed-usage.ts';
import { compareUsage } from './compare-usage.ts';
import { newestFirst } from './newest-first.ts';
import { VIOLATIONS_SHOWN, type LedgerViolation } from './verify-checks.ts';

/** A provider's usage object has up to 8 KiB, so a chunk has up to 40 MiB. */
const CHUNK_ROWS = 5_000;

/** A provider's usage as it is stored with a request. */
export interface StoredReport {
  /** The path that was called: `/v1/messages`. */
  endpoint: string;
  /** The usage object as JSON; complete. */
  rawUsage: string;
}

/** Reads a stored usage object as billing reads it. @returns null if it cannot be read */
export type DecodeUsage = (report: StoredReport) => TokenUsage | null;

/** Settled requests that are not estimated, by whether their counts were compared with the provider's usage object. */
export interface ComparedUsage {
  compared: number;
  /** Not checked: no usage object is stored. */
  absent: number;
  /** Not checked: only a part of it is stored. */
  truncated: number;
  /** Not checked: it, or the stored bill, cannot be read. */
  unreadable: number;
}

/**
 * Decodes the providers' usage objects again, the newest request first, and compares them with the stored counts.
 * Estimated requests are left out: their counts differ from the report on purpose.
 * @param limit of how many requests; null: all
 */
export async function verifyUsage(
  tx: Connection,
  limit: number | null,
  decode: DecodeUsage,
): Promise<{ usage: ComparedUsage; wrong: { violations: LedgerViolation[]; total: number } }> {
  const usage: ComparedUsage = { compared: 0, absent: 0, truncated: 0, unreadable: 0 };
  const wrong: { violations: LedgerViolation[]; total: number } = { violations: [], total: 0 };
  const chunks = newestFirst({ limit, chunkRows: CHUNK_ROWS }, (before, rows) => readChunk(tx, before, rows));
  for await (const rows of chunks) {
    for (const row of rows) {
      const { state, difference } = checkRow(row, decode);
      usage[state] += 1;
      if (difference === null) continue;
      wrong.total += 1;
      if (wrong.violations.length < VIOLATIONS_SHOWN)
        wrong.violations.push({ subject: row.id, ...difference });
    }
  }
  return { usage, wrong };
}

function checkRow(
  row: UsageRow,
  decode: DecodeUsage,
): { state: keyof ComparedUsage; difference: ReturnType<typeof compareUsage> } {
  const { endpoint, rawUsage } = row;
  if (rawUsage === null) return { state: 'absent', difference: null };
  if (isTruncatedUsage(rawUsage)) return { state: 'truncated', difference: null };
  const decoded = decode({ endpoint, rawUsage });
  const billed = readBilledUsage(row);
  if (decoded === null || !billed.isReadable) return { state: 'unreadable', difference: null };
  return { state: 'compared', difference: compareUsage(billed.usage, decoded) };
}

const COLUMNS = {
  id: requests.id,
  endpoint: requests.endpoint,
  inputTokens: requests.inputTokens,
  cacheReadTokens: requests.cacheReadTokens,
  cacheWriteTokens: requests.cacheWriteTokens,
  cacheWrite1hTokens: requests.cacheWrite1hTokens,
  outputTokens: requests.outputTokens,
  usageExtras: requests.usageExtras,
  billedTerms: requests.billedTerms,
  rawUsage: requests.rawUsage,
};
type UsageRow = Pick<typeof requests.$inferSelect, keyof typeof COLUMNS>;

async function readChunk(tx: Connection, before: string | null, rows: number): Promise<UsageRow[]> {
  return tx.drizzle
    .select(COLUMNS)
    .from(requests)
    .where(
      and(
        eq(requests.state, 'settled'),
        eq(requests.estimated, false),
        hasUsage(),
        before === null ? undefined : lt(requests.id, before),
      ),
    )
    .orderBy(desc(requests.id))
    .limit(rows);
}

/** Whether a settled request has usage to compare. Without a usage object it must have been billed for some: rejected ones have none. */
export function hasUsage(): SQL {
  return sql`(${requests.rawUsage} IS NOT NULL OR NOT ${requests.recovered} AND (
    ${requests.inputTokens} > 0 OR ${requests.cacheReadTokens} > 0 OR ${requests.cacheWriteTokens} > 0
    OR ${requests.cacheWrite1hTokens} > 0 OR ${requests.outputTokens} > 0 OR ${requests.usageExtras} IS NOT NULL))`;
}
