import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
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
      strategy: 'weighted',
      firstTokenTimeoutMs: null,
      hedgeAfterMs: null,
      retryBudgetMs: null,
      contentPolicyFailover: false,
      continueStreams: false,
      healthCheckIntervalS: null,
    };
    expect(await tollgate.json('model routing m')).toEqual(standard);
    await tollgate.json(
      'model routing m --first-token-timeout-ms 8000 --retry-budget-ms 0 --strategy lowest-price --hedge-after-ms 1500',
    );
    await tollgate.json('model routing m --content-policy-failover on --health-check-interval-s 30');
    expect(await tollgate.json('model routing m --continue-streams on')).toEqual({
      id: 'm',
      strategy: 'lowest-price',
      firstTokenTimeoutMs: 8_000,
      hedgeAfterMs: 1_500,
      retryBudgetMs: 0,
      contentPolicyFailover: true,
      continueStreams: true,
      healthCheckIntervalS: 30,
    });
    const times =
      '--strategy weighted --hedge-after-ms off --first-token-timeout-ms default --retry-budget-ms default';
    const back = `${times} --content-policy-failover off --continue-streams off --health-check-interval-s off`;
    expect(await tollgate.json(`model routing m ${back}`)).toEqual(standard);
    const { stdout } = await tollgate('model routing m');
    expect(stdout).toContain('first token timeout      default');
    expect(stdout).toContain('continue streams         off');
    expect(stdout).toContain('health check interval    off');
  });

  it.each([
    ['--first-token-timeout-ms 0', '--first-token-timeout-ms'],
    ['--hedge-after-ms 99', '--hedge-after-ms'],
    ['--retry-budget-ms 30001', '--retry-budget-ms'],
    ['--health-check-interval-s 9', '--health-check-interval-s'],
    ['--strategy fastest', 'must be one of weighted, lowest-latency, lowest-price, usage-based'],
    ['--content-policy-failover maybe', 'must be on or off'],
    ['--continue-streams maybe', 'must be on or off'],
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
    expect((await tollgate('route list')).stdout).toMatch(/CONTEXT +COST[^]+131,072 +1x/);
  });

  it('changes the context window and the cost of a route, and nothing that is not given', async () => {
    await tollgate.json('model add --id n --input-price 1 --output-price 2');
    const added = await tollgate.json('route add --model n --provider p --cost-multiplier 0.5');
    expect(added).toMatchObject({ contextTokens: null, costMultiplier: '0.5' });
    const { id } = z.object({ id: z.string() }).parse(added);
    expect(await tollgate.json('route update', id, '--context', '8192')).toMatchObject({
      contextTokens: 8_192,
      costMultiplier: '0.5',
    });
    const changed = await tollgate.json(
      'route update',
      id,
      '--cost-multiplier',
      '1.25',
      '--context',
      'model',
    );
    expect(changed).toMatchObject({ id, contextTokens: null, costMultiplier: '1.25' });
    expect(await tollgate.json('route list')).toMatchObject({
      routes: expect.arrayContaining([expect.objectContaining({ id, costMultiplier: '1.25' })]),
    });
    const audited = await database.db.sql<{ detail: object }[]>`
      SELECT detail FROM audit_log WHERE action = 'route.change' AND subject = ${id} ORDER BY id`;
    expect(audited.map(({ detail }) => detail)).toEqual([
      { contextTokens: 8_192, before: { contextTokens: null } },
      {
        contextTokens: null,
        costPpm: 1_250_000,
        before: { contextTokens: 8_192, costPpm: 500_000 },
      },
    ]);
  });

  it.each([
    ['--context 0', 2, '--context'],
    ['--cost-multiplier 101', 2, '--cost-multiplier'],
    ['', 1, 'Give --context or --cost-multiplier'],
    ['--context 5', 1, 'does not exist'],
  ])('rejects route update with "%s"', async (options, code, message) => {
    const failed = await tollgate(`route update route_missing ${options}`.trim());
    expect(failed).toMatchObject({ code, stderr: expect.stringContaining(message) });
  });
});
