import { commitBatch } from '@tollgate/testing/commit-batch';
import { requestRecord } from '@tollgate/testing/ledger-records';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestConsole, type TestConsole } from '../testing/console-fixture.ts';
import { signUpOperator, signUpVerified } from '../testing/people.ts';

describe('operator.failures', () => {
  let site: TestConsole;
  beforeAll(async () => {
    site = await createTestConsole();
  });
  afterAll(() => site[Symbol.asyncDispose]());

  it('groups failed attempts of all accounts by provider and cause, for operators only', async () => {
    const operator = await signUpOperator(site);
    const member = await signUpVerified(site);
    const owner = { accountId: member.accountId, keyId: 'key_1' };
    const attempt = { route: 'r', provider: 'acme', upstreamModel: 'u', outcome: 'status_503', status: 503 };
    const record = requestRecord(owner, {
      startedAtMs: site.deps.clock.nowMs() - 60_000,
      status: 503,
      errorCode: 'upstream_overloaded',
      attempts: [{ ...attempt, durationMs: 5, errorType: 'busy', errorMessage: 'Too busy' }],
    });
    await commitBatch(site.deps.db, { settlements: [record] });
    const ask = { period: '24h', provider: 'acme' } as const;
    expect(await operator.visitor.client.operator.failures.list.query(ask)).toMatchObject({
      groups: [
        {
          code: 'status_503',
          errorType: 'busy',
          message: 'Too busy',
          provider: 'acme',
          failures: 1,
          exampleId: record.id,
          exampleAccountId: member.accountId,
        },
      ],
      searchedTo: null,
    });
    const other = await operator.visitor.client.operator.failures.list.query({ ...ask, provider: 'other' });
    expect(other.groups).toEqual([]);
    await expect(member.visitor.client.operator.failures.list.query(ask)).rejects.toMatchObject({
      data: { code: 'FORBIDDEN' },
    });
  });

  it('names providers for the filter, with removed ones that had requests', async () => {
    const operator = await signUpOperator(site);
    const { db } = site.deps;
    await db.sql`INSERT INTO provider_hourly
      SELECT date_trunc('hour', now()) - days * interval '1 day', name, 'm', 1, 0, 0, 0, 0, 0,
        array_fill(0, ARRAY[29]), array_fill(0, ARRAY[29])
      FROM (VALUES (3, 'removed'), (200, 'long gone'), (0, '')) AS past (days, name)`;
    const names = await operator.visitor.client.operator.failures.providers.query();
    expect(names).toContain('removed');
    expect(names).not.toContain('long gone');
    expect(names).not.toContain('');
  });
});
