import { parseKeyEnds } from '@tollgate/core/search/search-text';
import { sql } from 'drizzle-orm';
import type { Connection } from '../../transaction.ts';
import { recordAudit } from '../audit/audit.ts';
import {
  byProviderRequest,
  HIT_COLUMNS,
  runSearch,
  searchArm,
  selectIndexed,
  startsWith,
  type IndexedCondition,
  type SearchArm,
  type SearchHit,
} from './search-hit.ts';

interface InstallationSearch {
  /** At least `SEARCH_TEXT_MIN` characters. */
  text: string;
  /** null: the command line. */
  actorUserId: string | null;
}

/**
 * Searches all accounts, the models and the providers; for operators only. A search that finds something of an account
 * is recorded in the audit log of the installation, with what it found.
 */
export async function searchInstallation(
  db: Connection,
  { text, actorUserId }: InstallationSearch,
): Promise<SearchHit[]> {
  const hits = await runSearch(db, listInstallationArms(text));
  const accountIds = [...new Set(hits.flatMap(({ account }) => account?.id ?? []))];
  const [accountId] = accountIds;
  if (accountId !== undefined) {
    const subject = accountIds.length === 1 ? accountId : `${accountIds.length} accounts`;
    // The text is not recorded: it may be the email of a person whose data is deleted later.
    const found = hits.filter(({ account }) => account !== null).map(({ kind, id }) => `${kind} ${id}`);
    await recordAudit(db, { actorUserId, action: 'search.run', subject, detail: { found } });
  }
  return hits;
}

const ID_ARMS: Readonly<Record<string, (id: string) => SearchArm>> = {
  req: (id) =>
    searchArm('request', sql`SELECT ${HIT_COLUMNS.request} FROM requests WHERE requests.id = ${id}`),
  key: (id) => keyArm({ where: sql`api_keys.id = ${id}` }),
  acct: (id) => accountArm({ where: sql`accounts.id = ${id}` }),
  user: (id) => memberArm({ where: sql`users.id = ${id}` }),
  pay: (id) => paymentArm({ where: sql`payments.id = ${id}` }),
};

/** Each arm on a large table has a condition that an index answers. */
export function listInstallationArms(text: string): SearchArm[] {
  const lower = text.toLowerCase();
  const [, kind = ''] = /^([a-z]+)_[0-9A-Za-z]+$/.exec(text) ?? [];
  const byId = Object.hasOwn(ID_ARMS, kind) ? ID_ARMS[kind] : undefined;
  const ends = parseKeyEnds(text);
  if (ends !== null) {
    const where = sql`api_keys.prefix = ${ends.prefix} AND api_keys.last4 = ${ends.last4}`;
    return [keyArm({ where })];
  }
  return [
    ...(byId === undefined ? [] : [byId(text)]),
    searchArm('request', sql`SELECT ${HIT_COLUMNS.request} FROM ${byProviderRequest(text)}`),
    keyArm(startsWith(sql`api_keys.search_text`, lower)),
    ...(text.startsWith('sk-') ? [keyArm(startsWith(sql`api_keys.prefix`, text))] : []),
    ...(text.length === 4 ? [keyArm({ where: sql`api_keys.last4 = ${text}` })] : []),
    accountArm(startsWith(sql`lower(accounts.name)`, lower)),
    memberArm(startsWith(sql`users.email`, lower)),
    paymentArm({ where: sql`payments.receipt_number = ${text.toUpperCase()}` }),
    paymentArm({ where: sql`payments.payment_intent_id = ${text}` }),
    searchArm(
      'model',
      sql`SELECT ${HIT_COLUMNS.model} FROM models
        WHERE strpos(lower(models.id || ' ' || coalesce(models.title, '')), ${lower}) > 0 ORDER BY models.id`,
    ),
    searchArm(
      'provider',
      sql`SELECT ${HIT_COLUMNS.provider} FROM providers
        WHERE providers.id = ${text} OR strpos(lower(providers.name), ${lower}) > 0 ORDER BY providers.name`,
    ),
  ];
}

function keyArm(condition: IndexedCondition): SearchArm {
  return searchArm('key', selectIndexed(sql`SELECT ${HIT_COLUMNS.key} FROM api_keys`, condition));
}

function accountArm(condition: IndexedCondition): SearchArm {
  return searchArm('account', selectIndexed(sql`SELECT ${HIT_COLUMNS.account} FROM accounts`, condition));
}

function memberArm({ where, ...order }: IndexedCondition): SearchArm {
  const tables = sql`users JOIN memberships ON memberships.user_id = users.id`;
  const condition = { where: sql`${where} AND users.deleted_at IS NULL`, ...order };
  return searchArm('member', selectIndexed(sql`SELECT ${HIT_COLUMNS.member} FROM ${tables}`, condition));
}

function paymentArm(condition: IndexedCondition): SearchArm {
  return searchArm('payment', selectIndexed(sql`SELECT ${HIT_COLUMNS.payment} FROM payments`, condition));
}
