import { formatUsd, type NanoUsd } from '@tollgate/core/money/money';
import { computeCost } from '@tollgate/core/money/rates/compute-cost';
import type { Database } from '@tollgate/db/client';
import type { FakeProvider } from '@tollgate/testing/fake-provider/create-fake-provider';
import { readMeter, type MeteredRequest } from '@tollgate/testing/provider-meter';
import { HAS_ALL_ROUTING } from '@tollgate/testing/ledger-routing';
import type { Answer } from './ask.ts';
import { findViolationsInBooks, readLedgerSnapshot, type BookRow } from './ledger-snapshot.ts';
import { METERED_PRICES, type Payer } from './scene.ts';

/** The comparison of client responses, the provider's meter and the bills. */
export interface Audit {
  /** Requests answered to the last byte. */
  answered: number;
  rows: number;
  /** Rows billed by the provider's report, and their sums: billed, and on the provider's meter. */
  exact: number;
  exactNanoUsd: NanoUsd;
  meteredNanoUsd: NanoUsd;
  /** Rows billed by an estimate, the number of them that were fully received, and their sum. */
  estimated: number;
  estimatedAnswered: number;
  estimatedNanoUsd: NanoUsd;
  billedNanoUsd: NanoUsd;
  /**
   * Unbilled provider calls and what the provider may charge for them: the hold was refused after they had started, or
   * their process died before the hold.
   */
  unbilled: number;
  unbilledNanoUsd: NanoUsd;
  /** Answered requests without a row. */
  missing: string[];
  /** Requests recorded more than once. */
  duplicates: string[];
  /** Bills that differ from the meter or from the response. */
  differing: string[];
  /** Inconsistencies inside the database. */
  violations: string[];
}

export interface AuditInput {
  db: Database;
  provider: FakeProvider;
  payers: readonly Payer[];
  answers: readonly Answer[];
}

/** Compares everything; the gateway must have nothing in flight. */
export async function audit({ db, provider, payers, answers }: AuditInput): Promise<Audit> {
  await Promise.all(provider.requests.map((record) => record.finished));
  const metered = readMeter(provider.requests);
  const rows = await readLedgerSnapshot(db, payers);
  const matches = matchRows(rows, answers, metered);
  const whole = answers.filter(({ ending, status }) => ending === 'whole' && status === 200);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const exact = matches.filter(
    ({ row, entry }) => !row.estimated && !isRefused(row) && (entry !== null || row.cost > 0n),
  );
  const estimated = rows.filter((row) => row.estimated);
  const billed = new Set(matches.flatMap(({ row, entry }) => (isRefused(row) ? [] : [entry])));
  const unbilled = metered.filter((entry) => !billed.has(entry));
  const sum = (of: readonly BookRow[]) => of.reduce((total, { cost }) => total + cost, 0n);
  return {
    answered: whole.length,
    rows: rows.length,
    exact: exact.length,
    exactNanoUsd: sum(exact.map(({ row }) => row)),
    meteredNanoUsd: exact.reduce((total, { entry }) => total + meteredCost(entry), 0n),
    estimated: estimated.length,
    estimatedAnswered: answers.filter(
      ({ isReceived, requestId }) => isReceived && byId.get(requestId ?? '')?.estimated === true,
    ).length,
    estimatedNanoUsd: sum(estimated),
    billedNanoUsd: sum(rows),
    unbilled: unbilled.length,
    unbilledNanoUsd: unbilled.reduce((total, entry) => total + meteredCost(entry), 0n),
    missing: answers.flatMap((answer) =>
      isAnswered(answer) && !byId.has(answer.requestId ?? '') ? [answer.marker] : [],
    ),
    duplicates:
      rows.length === byId.size ? [] : rows.filter((row) => byId.get(row.id) !== row).map(({ id }) => id),
    differing: [
      ...exact.flatMap(findDifference),
      ...whole.flatMap((answer) => findMisreported(answer, byId)),
    ],
    violations: await findViolationsInBooks(db),
  };
}

/** The furthest call of each request, the last one if equal: a dropped call is replaced by a new one. */
function furthestByMarker(metered: readonly MeteredRequest[]): Map<string, MeteredRequest> {
  const furthest = new Map<string, MeteredRequest>();
  for (const entry of metered) {
    const other = furthest.get(entry.marker);
    if (other === undefined || getProgress(entry) >= getProgress(other)) furthest.set(entry.marker, entry);
  }
  return furthest;
}

function getProgress({ isWhole, bytesSent }: MeteredRequest): number {
  return isWhole ? Infinity : bytesSent;
}

interface Match {
  row: BookRow;
  /** null: no provider call is known. */
  entry: MeteredRequest | null;
}

/**
 * Links rows to the meter by the request ids that clients received. Without an id, because its client or process had ended
 * first, an exact row is linked to any remaining meter entry with the same usage.
 */
function matchRows(
  rows: readonly BookRow[],
  answers: readonly Answer[],
  metered: readonly MeteredRequest[],
): Match[] {
  const meter = furthestByMarker(metered);
  const hedged = HAS_ALL_ROUTING ? Map.groupBy(metered, ({ marker }) => marker) : new Map<string, never[]>();
  const getMarker = new Map(
    answers.flatMap(({ requestId, marker }) => (requestId === null ? [] : [[requestId, marker]])),
  );
  const left = new Map(meter);
  const matches: Match[] = [];
  const unmatched: BookRow[] = [];
  for (const row of rows) {
    const marker = getMarker.get(row.id);
    // Of two calls of one stream, which may be of different dialects and lengths, the caller got the whole of one.
    const given = hedged.get(marker ?? '')?.find((each) => each.isWhole && meteredCost(each) === row.cost);
    const entry = given ?? (marker === undefined ? undefined : meter.get(marker));
    if (marker === undefined) unmatched.push(row);
    else matches.push({ row, entry: entry ?? null });
    if (entry !== undefined) left.delete(entry.marker);
  }
  for (const row of unmatched.toSorted((a, b) => Number(a.estimated) - Number(b.estimated))) {
    const isFit = (each: MeteredRequest) =>
      row.estimated || (row.cost > 0n && meteredCost(each) === row.cost);
    const entry = [...left.values()].find(isFit) ?? null;
    matches.push({ row, entry });
    if (entry !== null) left.delete(entry.marker);
  }
  return matches;
}

/** The caller received an error and pays nothing, even if the provider had started. */
function isRefused({ status, cost }: BookRow): boolean {
  return cost === 0n && REFUSALS.has(status);
}

const REFUSALS = new Set([402, 429, 503]);

function meteredCost(entry: MeteredRequest | null): NanoUsd {
  return entry === null || entry.usage === null ? 0n : computeCost(entry.usage, METERED_PRICES);
}

/** A byte of the response was sent, so the request must be recorded. */
function isAnswered({ status, body, requestId }: Answer): boolean {
  return status === 200 && requestId !== null && body.length > 0;
}

function findDifference({ row, entry }: Match): string[] {
  const metered = meteredCost(entry);
  if (row.cost === metered) return [];
  return [`${row.id} (${entry?.marker ?? 'not metered'}) was billed ${row.cost}, metered ${metered}`];
}

const REPORTED_OUTPUT = /"(?:output|completion)_tokens":\s*(\d+)/g;

/** The cost and length reported in a response must match the bill. */
function findMisreported(
  { costUsd, requestId, marker, body }: Answer,
  rows: ReadonlyMap<string, BookRow>,
): string[] {
  const row = rows.get(requestId ?? '');
  if (row === undefined || row.estimated) return [];
  const reportedTokens = [...body.matchAll(REPORTED_OUTPUT)].at(-1)?.[1];
  const isTokensTrue = reportedTokens === undefined || Number(reportedTokens) === row.outputTokens;
  if (isTokensTrue && (costUsd === null || costUsd === formatUsd(row.cost))) return [];
  return [
    `${marker} reported ${reportedTokens} tokens for $${costUsd}, billed ${row.outputTokens} for ${row.cost}`,
  ];
}

/** The figures of an audit in one line. */
export function describeAudit(audited: Audit): string {
  const { answered, rows, exact, estimated, estimatedAnswered, unbilled } = audited;
  return (
    `${answered} answered, ${rows} rows, billed $${formatUsd(audited.billedNanoUsd)}; ${exact} as metered ` +
    `(difference ${audited.exactNanoUsd - audited.meteredNanoUsd}), ${estimated} estimated ` +
    `($${formatUsd(audited.estimatedNanoUsd)}; ${estimatedAnswered} of them answered whole), ` +
    `${audited.missing.length} missing, ${audited.duplicates.length} twice, ${audited.differing.length} differing, ` +
    `${unbilled} unbilled calls ($${formatUsd(audited.unbilledNanoUsd)}), ${audited.violations.length} violations in the ledger`
  );
}
