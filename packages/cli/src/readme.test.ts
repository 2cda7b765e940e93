import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createAccountFixture } from '@tollgate/testing/factories';
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database';
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
});
