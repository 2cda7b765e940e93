import { parseKeyEnds } from '@tollgate/core/search/search-text';
import { sql } from 'drizzle-orm';
import type { Connection } from '../../transaction.ts';
import {
  byProviderRequest,
  HIT_COLUMNS,
  runSearch,
  searchArm,
  type SearchArm,
  type SearchHit,
} from './search-hit.ts';

interface AccountSearch {
  accountId: string;
  /** At least `SEARCH_TEXT_MIN` characters. */
  text: string;
}

/** Requests, keys, payments and members of one account. Models are in its catalogue. */
export async function searchAccount(db: Connection, search: AccountSearch): Promise<SearchHit[]> {
  return runSearch(db, listAccountArms(search));
}

/** Each arm contains the account in its condition. */
export function listAccountArms({ accountId, text }: AccountSearch): SearchArm[] {
  const ends = parseKeyEnds(text);
  const pattern = `%${text.replace(/[\\%_]/g, String.raw`\$&`)}%`;
  const isKey =
    ends === null
      ? sql`(api_keys.id = ${text} OR api_keys.search_text LIKE lower(${pattern}))`
      : sql`api_keys.prefix = ${ends.prefix} AND api_keys.last4 = ${ends.last4}`;
  return [
    searchArm(
      'request',
      sql`SELECT ${HIT_COLUMNS.request} FROM requests
        WHERE requests.id = ${text} AND requests.account_id = ${accountId}`,
    ),
    // Of other requests, only operators know the provider.
    searchArm(
      'request',
      sql`SELECT ${HIT_COLUMNS.request} FROM ${byProviderRequest(text)}
        AND requests.account_id = ${accountId} AND requests.own_credential`,
    ),
    searchArm(
      'key',
      sql`SELECT ${HIT_COLUMNS.key} FROM api_keys WHERE api_keys.account_id = ${accountId} AND ${isKey}
        ORDER BY api_keys.created_at DESC, api_keys.id DESC`,
    ),
    searchArm(
      'member',
      sql`SELECT ${HIT_COLUMNS.member} FROM memberships JOIN users ON users.id = memberships.user_id
        WHERE memberships.account_id = ${accountId} AND users.deleted_at IS NULL
          AND (users.id = ${text} OR users.email LIKE lower(${pattern}) OR lower(users.name) LIKE lower(${pattern}))
        ORDER BY users.email`,
    ),
    searchArm(
      'payment',
      sql`SELECT ${HIT_COLUMNS.payment} FROM payments
        WHERE payments.account_id = ${accountId} AND (payments.id = ${text}
          OR payments.receipt_number = upper(${text}) OR payments.payment_intent_id = ${text})`,
    ),
  ];
}
