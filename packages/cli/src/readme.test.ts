import { readFileSync } from 'node:fs';
import path from 'node:path';
import { commitBatch } from '@tollgate/testing/commit-batch';
import { createAccountFixture, createKeyFixture } from '@tollgate/testing/factories';
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database';
import { requestRecord } from '@tollgate/testing/ledger-records';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createTollgate, type Tollgate } from './testing/run-tollgate.ts';

const README = readFileSync(path.join(import.meta.dirname, '../README.md'), 'utf8');

const objectSchema = z.record(z.string(), z.unknown());

/** The members that the README lists after a text, as `one two three`. */
function listedAfter(text: string): string[] {
  const [, names = ''] = README.split(text)[1]?.split('`') ?? [];
  return names.split(' ');
}

describe('the README of the command line lists every member that is printed for', () => {
  let database: TestDatabase;
  let tollgate: Tollgate;
  beforeAll(async () => {
    database = await createTestDatabase();
    tollgate = createTollgate({ DATABASE_URL: database.url });
    await createAccountFixture(database.db, { email: 'you@example.com' });
  });
  afterAll(() => database[Symbol.asyncDispose]());

  const getMembers = async (line: string) => Object.keys(objectSchema.parse(await tollgate.json(line)));

  it('a key', async () => {
    const created = await tollgate.json('key create --account you@example.com --name k');
    const { id } = z.object({ id: z.string() }).parse(created);
    expect(listedAfter('_key_: ').toSorted()).toEqual((await getMembers(`key show ${id}`)).toSorted());
  });

  it('a request and its attempts', async () => {
    const [account] = await database.db.sql<{ id: string }[]>`SELECT id FROM accounts`;
    const accountId = account?.id ?? '';
    const owner = { accountId, keyId: (await createKeyFixture(database.db, accountId)).key.id };
    const called = { route: 'r', provider: 'acme', upstreamModel: 'u', outcome: 'status_503', status: 503 };
    const said = { errorType: 't', errorMessage: 'm', message: 'n', detail: 'd', requestId: 'i' };
    const attempt = { ...called, ...said, durationMs: 3, waitMs: 2, credential: 'c' };
    const next = { next: 'none', why: 'no_other_route' } as const;
    const record = requestRecord(owner, { status: 503, attempts: [{ ...attempt, ...next }] });
    await commitBatch(database.db, { settlements: [record] });
    const request = objectSchema.parse(await tollgate.json(`request show ${record.id}`));
    expect(listedAfter('`request show`').toSorted()).toEqual(Object.keys(request).toSorted());
    const [shown = {}] = z.array(objectSchema).parse(request['attempts']);
    const members = [...listedAfter('an attempt has '), ...listedAfter('and if known ')];
    expect(members.toSorted()).toEqual(Object.keys(shown).toSorted());
  });

  it('a plan', async () => {
    expect(listedAfter('_plan_: ').toSorted()).toEqual((await getMembers('plan add --name p')).toSorted());
  });

  it('a model and its price', async () => {
    await tollgate.json('model add --id m --input-price 1 --output-price 2');
    const { models } = z.object({ models: z.array(objectSchema) }).parse(await tollgate.json('model list'));
    const [model = {}] = models;
    expect(listedAfter('_model_: ').toSorted()).toEqual(Object.keys(model).toSorted());
    const price = Object.keys(objectSchema.parse(model['price']));
    expect(listedAfter('`price` holds ').toSorted()).toEqual(price.toSorted());
  });

  it('a seeded month', async () => {
    const members = await getMembers('demo seed --account you@example.com --requests 300 --yes');
    expect(listedAfter('`demo seed`').toSorted()).toEqual(members.toSorted());
  });
});
