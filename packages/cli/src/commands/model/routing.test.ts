import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTollgate, type Tollgate } from '../../testing/run-tollgate.ts';

describe('tollgate model routing', () => {
  let database: TestDatabase;
  let tollgate: Tollgate;
  beforeAll(async () => {
    database = await createTestDatabase();
    tollgate = createTollgate({ DATABASE_URL: database.url });
    await tollgate.json('model add --id m --input-price 1 --output-price 2');
    await tollgate.json('provider add --name p --dialect openai-chat --base-url http://127.0.0.1:9/v1');
  });
  afterAll(() => database[Symbol.asyncDispose]());

  it('shows and changes the policy of a model, and nothing that is not given', async () => {
    const standard = {
      id: 'm',
      firstTokenTimeoutMs: null,
      retryBudgetMs: null,
      contentPolicyFailover: false,
    };
    expect(await tollgate.json('model routing m')).toEqual(standard);
    await tollgate.json('model routing m --first-token-timeout-ms 8000 --retry-budget-ms 0');
    expect(await tollgate.json('model routing m --content-policy-failover on')).toEqual({
      id: 'm',
      firstTokenTimeoutMs: 8_000,
      retryBudgetMs: 0,
      contentPolicyFailover: true,
    });
    const back = '--first-token-timeout-ms default --retry-budget-ms default --content-policy-failover off';
    expect(await tollgate.json(`model routing m ${back}`)).toEqual(standard);
    expect((await tollgate('model routing m')).stdout).toContain('first token timeout      default');
  });

  it.each([
    ['--first-token-timeout-ms 0', '--first-token-timeout-ms'],
    ['--retry-budget-ms 30001', '--retry-budget-ms'],
    ['--content-policy-failover maybe', 'must be on or off'],
  ])('rejects %s', async (option, message) => {
    const failed = await tollgate(`model routing m ${option}`);
    expect(failed).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
  });

  it('fails for a model that does not exist', async () => {
    expect(await tollgate('model routing missing')).toMatchObject({ code: 1 });
  });

  it('records the context window of a route', async () => {
    expect(await tollgate.json('route add --model m --provider p --context 131072')).toMatchObject({
      contextTokens: 131_072,
    });
    expect(await tollgate.json('route list')).toMatchObject({ routes: [{ contextTokens: 131_072 }] });
  });
});
