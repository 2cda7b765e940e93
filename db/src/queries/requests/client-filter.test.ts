import { commitBatch } from '@tollgate/testing/commit-batch';
import { createTestDatabase } from '@tollgate/testing/database';
import { requestRecord } from '@tollgate/testing/ledger-records';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createOwner } from '../ledger/used-ledger.fixture.ts';
import { listRequests } from './list-requests.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let owner: Awaited<ReturnType<typeof createOwner>>;
beforeAll(async () => {
  database = await createTestDatabase();
  owner = await createOwner(database, 'internal');
  const clients = [
    'codex_exec 0.171.0',
    'codex_cli_rs 0.150.0',
    'codex',
    'claude-cli 2.1.332',
    'OpenAI/JS 7.57.0',
    null,
  ];
  const settlements = clients.map((client) => requestRecord(owner, { client }));
  await commitBatch(database.db, { settlements });
});
afterAll(() => database[Symbol.asyncDispose]());

async function list(client: string): Promise<string[]> {
  const query = { accountId: owner.accountId, filter: { client }, limit: 10, nowMs: Date.now() };
  const { requests } = await listRequests(database.db, query);
  return requests.map((request) => request.client ?? 'unknown').toSorted();
}

it('a known client matches all families of its user agents, whatever their version', async () => {
  expect(await list('codex')).toEqual(['codex_cli_rs 0.150.0', 'codex_exec 0.171.0']);
});

it('any other family matches itself alone', async () => {
  expect(await list('OpenAI/JS')).toEqual(['OpenAI/JS 7.57.0']);
  expect(await list('OpenAI')).toEqual([]);
});
