import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTollgate, type Tollgate } from '../../testing/run-tollgate.ts';

describe('tollgate model fallbacks', () => {
  let database: TestDatabase;
  let tollgate: Tollgate;
  beforeAll(async () => {
    database = await createTestDatabase();
    tollgate = createTollgate({ DATABASE_URL: database.url });
    for (const id of ['m', 'one', 'two', 'three', 'four', 'five', 'six'])
      await tollgate.json(`model add --id ${id} --input-price 1 --output-price 2`);
  });
  afterAll(() => database[Symbol.asyncDispose]());

  it('adds fallback models in order, changes when they are tried, and removes them', async () => {
    expect((await tollgate('model fallbacks m')).stdout).toContain('m has no fallback models.');
    await tollgate.json('model fallbacks m --add one');
    await tollgate.json('model fallbacks m --add two --on policy,overload');
    expect(await tollgate.json('model fallbacks m --add one --on failure')).toEqual({
      id: 'm',
      fallbacks: [
        { modelId: 'one', classes: ['failure'] },
        { modelId: 'two', classes: ['policy', 'overload'] },
      ],
    });
    expect((await tollgate('model fallbacks m')).stdout).toMatch(/two +policy, overload/);
    expect((await tollgate('model list')).stdout).toContain('one, two');
    expect(await tollgate.json('model fallbacks m --remove one')).toMatchObject({
      fallbacks: [{ modelId: 'two' }],
    });
  });

  it('forgets a model that is removed', async () => {
    await tollgate.json('model fallbacks one --add two');
    await tollgate.json('model fallbacks three --add one');
    await tollgate.json('model remove one');
    expect(await tollgate.json('model fallbacks three')).toMatchObject({ fallbacks: [] });
    await tollgate.json('model add --id one --input-price 1 --output-price 2');
    expect(await tollgate.json('model fallbacks one')).toMatchObject({ fallbacks: [] });
  });

  it.each([
    ['six --add six', 1, 'its own fallback'],
    ['six --add missing', 1, 'missing does not exist'],
    ['missing', 1, 'missing does not exist'],
    ['six --remove two', 1, 'not a fallback model'],
    ['six --on failure', 1, '--on needs --add'],
    ['six --add two --on sometimes', 2, 'failure, overload, context, policy'],
  ])('rejects %s', async (args, code, message) => {
    const failed = await tollgate(`model fallbacks ${args}`);
    expect(failed).toMatchObject({ code, stderr: expect.stringContaining(message) });
  });

  it('accepts at most five', async () => {
    for (const id of ['one', 'two', 'three', 'four', 'five'])
      await tollgate.json(`model fallbacks six --add ${id}`);
    const failed = await tollgate('model fallbacks six --add m');
    expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining('at most 5') });
    expect(await tollgate('model fallbacks six --add one --on policy')).toMatchObject({ code: 0 });
  });
});
