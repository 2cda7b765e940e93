import { sql, type SQL } from 'drizzle-orm';
import { providerRequestIds } from '../../schema/provider-usage.ts';
import type { Connection } from '../../transaction.ts';

/** What a search finds, in the order in which it lists them. */
const SEARCH_KINDS = ['request', 'key', 'account', 'member', 'payment', 'model', 'provider'] as const;
type SearchKind = (typeof SEARCH_KINDS)[number];

export interface SearchHit {
  kind: SearchKind;
  id: string;
  /** Its name or email; its ID if it has neither. */
  label: string;
  /** Distinguishes hits with the same label: the last characters of a key, the model of a request. */
  detail: string;
  /** null: it belongs to the installation. */
  account: { id: string; name: string } | null;
}

/** Hits of each kind. */
const HITS_PER_KIND = 5;

/** One SELECT of `kind, id, label, detail, account_id`, with at most `HITS_PER_KIND` rows. */
export type SearchArm = SQL;

/** @param found selects `id, label, detail, account_id` */
export function searchArm(kind: SearchKind, found: SQL): SearchArm {
  return sql`(SELECT ${kind}::text AS kind, found.* FROM (${found} LIMIT ${HITS_PER_KIND}) AS found)`;
}

/** All arms as one statement, with the names of the accounts. */
export function joinArms(arms: readonly SearchArm[]): SQL {
  return sql`
    SELECT hits.*, (SELECT accounts.name FROM accounts WHERE accounts.id = hits.account_id) AS account_name
    FROM (${sql.join([...arms], sql` UNION ALL `)}) AS hits`;
}

interface HitRow extends Record<string, unknown> {
  kind: SearchKind;
  id: string;
  label: string;
  detail: string;
  account_id: string | null;
  account_name: string | null;
}

/** Runs the arms. Several arms may find the same thing; it is listed once. */
export async function runSearch(db: Connection, arms: readonly SearchArm[]): Promise<SearchHit[]> {
  if (arms.length === 0) return [];
  const rows = await db.drizzle.execute<HitRow>(joinArms(arms));
  const hits = new Map(rows.map((row) => [`${row.kind} ${row.id} ${row.account_id ?? ''}`, toHit(row)]));
  return SEARCH_KINDS.flatMap((kind) =>
    [...hits.values()].filter((hit) => hit.kind === kind).slice(0, HITS_PER_KIND),
  );
}

function toHit({ account_id: id, account_name: name, ...row }: HitRow): SearchHit {
  const { kind, label, detail } = row;
  return {
    kind,
    id: row.id,
    label,
    detail,
    account: id === null ? null : { id, name: name ?? '' },
  };
}

/** A condition that an index answers, and the order that this index has. */
export interface IndexedCondition {
  where: SQL;
  orderBy?: SQL;
}

/** Finds texts that begin with `text`, by an index with `text_pattern_ops`; unlike LIKE also in a generic plan. */
export function startsWith(expression: SQL, text: string): IndexedCondition {
  // The last code point sorts after every other in UTF-8.
  const end = `${text}\u{10FFFF}`;
  return {
    where: sql`(${expression} ~>=~ ${text} AND ${expression} ~<~ ${end})`,
    // Without the order, PostgreSQL may read the table until it has enough rows.
    orderBy: sql`${expression} USING ~<~`,
  };
}

/** A SELECT with its condition. */
export function selectIndexed(columnsAndTables: SQL, { where, orderBy }: IndexedCondition): SQL {
  const order = orderBy === undefined ? sql`` : sql` ORDER BY ${orderBy}`;
  return sql`${columnsAndTables} WHERE ${where}${order}`;
}

/** Requests with an ID that a provider gave them. The job that sums requests notes it within a minute. */
export function byProviderRequest(id: string): SQL {
  const given = providerRequestIds;
  return sql`${given} JOIN requests ON requests.id = ${given.requestId} AND requests.started_at = ${given.startedAt}
    WHERE ${given.providerRequestId} = ${id}`;
}

/** The columns of a hit, by kind. */
export const HIT_COLUMNS = {
  request: sql`requests.id, requests.id AS label, coalesce(requests.model, requests.endpoint) AS detail, requests.account_id`,
  key: sql`api_keys.id, api_keys.name AS label, api_keys.prefix || '…' || api_keys.last4 AS detail, api_keys.account_id`,
  account: sql`accounts.id, accounts.name AS label, accounts.plan_id AS detail, accounts.id AS account_id`,
  member: sql`users.id, users.email AS label, memberships.role AS detail, memberships.account_id`,
  payment: sql`payments.id, coalesce(payments.receipt_number, payments.id) AS label,
    '$' || (payments.amount_cents / 100.0)::numeric(12, 2) || ' ' || payments.state AS detail, payments.account_id`,
  model: sql`models.id, models.id AS label, coalesce(models.title, '') AS detail, NULL::text AS account_id`,
  provider: sql`providers.id, providers.name AS label, coalesce(providers.preset, providers.dialect) AS detail, NULL::text AS account_id`,
} as const satisfies Record<SearchKind, SQL>;
