import type { Database } from '@tollgate/db/client';
import { listConsoleQueries, type BusyAccount } from './queries.ts';

const RUNS = 5;
/** What the console promises of each list. */
const LIMIT_MS = 50;
/** Groups of a report that are distinguished at most. */
const TOLD_APART = 100;

/** Collects the plans that the server sends as notices while it answers. */
export interface Plans {
  /** Plans received since the last call. */
  take(): string[];
}

/** Runs every query of the console a few times, and says how long the median run took, the server's plans and all. */
export async function explainAll(db: Database, plans: Plans, say: (line: string) => void): Promise<void> {
  const account = await findBusyAccount(db);
  await tellPlans(db);
  const slow: string[] = [];
  const reports: string[] = [];
  for (const [name, run] of listConsoleQueries(db, account)) {
    const runs: { ms: number; lines: string[] }[] = [];
    for (let at = 0; at < RUNS; at++) {
      plans.take();
      const startedMs = performance.now();
      await run();
      runs.push({ ms: performance.now() - startedMs, lines: plans.take() });
    }
    const median = runs.toSorted((left, right) => left.ms - right.ms)[Math.floor(RUNS / 2)];
    if (median === undefined) throw new Error('Nothing was run');
    say(`${median.ms.toFixed(1).padStart(9)} ms  ${name}`);
    if (median.ms > LIMIT_MS) slow.push(name);
    reports.push(`## ${name}: ${median.ms.toFixed(1)} ms`, ...median.lines, '');
  }
  say(slow.length === 0 ? `Each within ${LIMIT_MS} ms` : `Over ${LIMIT_MS} ms: ${slow.join(', ')}`);
  say('');
  for (const line of reports) say(line);
}

/** https://www.postgresql.org/docs/current/auto-explain.html */
async function tellPlans(db: Database): Promise<void> {
  await db.sql
    .unsafe(`LOAD 'auto_explain'; SET auto_explain.log_min_duration = 0; SET auto_explain.log_analyze = on;
    SET auto_explain.log_buffers = on; SET auto_explain.log_timing = off; SET client_min_messages = log`);
}

/** The account of the key that was asked with most, and a few of its requests. */
async function findBusyAccount(db: Database): Promise<BusyAccount> {
  const [key] = await db.sql<{ keyId: string; accountId: string }[]>`
    SELECT k.id AS "keyId", k.account_id AS "accountId" FROM key_totals t JOIN api_keys k ON k.id = t.key_id
    ORDER BY t.spent_nano_usd DESC LIMIT 1`;
  if (key === undefined) throw new Error('Nothing was ever asked: fill the database first');
  const [request] = await db.sql<{ id: string }[]>`
    SELECT id FROM requests WHERE account_id = ${key.accountId} ORDER BY started_at DESC OFFSET 1000 LIMIT 1`;
  const most = await db.sql<{ id: string }[]>`
    SELECT k.id FROM key_totals t JOIN api_keys k ON k.id = t.key_id WHERE k.account_id = ${key.accountId}
    ORDER BY t.spent_nano_usd DESC LIMIT ${TOLD_APART}`;
  return { ...key, keyIds: most.map(({ id }) => id), requestId: request?.id ?? '' };
}
