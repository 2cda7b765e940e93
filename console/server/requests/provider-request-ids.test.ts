import type { RequestRecord } from '@tollgate/core/money/ledger';
import { commitBatch } from '@tollgate/testing/commit-batch';
import { createKeyFixture } from '@tollgate/testing/factories';
import { requestRecord } from '@tollgate/testing/ledger-records';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestConsole, type TestConsole } from '../testing/console-fixture.ts';
import { signUpVerified } from '../testing/people.ts';

describe('the request log', () => {
  let site: TestConsole;
  beforeAll(async () => {
    site = await createTestConsole();
  });
  afterAll(() => site[Symbol.asyncDispose]());

  it('shows members the IDs of requests at providers only if the account has its own credentials there', async () => {
    const { visitor, accountId } = await signUpVerified(site);
    const { key } = await createKeyFixture(site.deps.db, accountId);
    const settle = async (rest: Partial<RequestRecord>) => {
      const record = requestRecord({ accountId, keyId: key.id }, { startedAtMs: Date.now(), ...rest });
      await commitBatch(site.deps.db, { settlements: [record] });
      return record.id;
    };
    const route = { route: 'route_1', provider: 'p', upstreamModel: 'm-1', status: 500, durationMs: 40 };
    const failed = { ...route, outcome: 'status_500' };
    const several = await settle({
      attempts: [
        { ...failed, requestId: 'req_operator' },
        { ...failed, requestId: 'req_own', own: true },
      ],
    });
    const once = { provider: 'p', providerRequestId: 'req_once' };
    const paidByOperator = await settle(once);
    const paidByAccount = await settle({ ...once, ownCredential: true });
    const read = async (requestId: string) => {
      const { attempts } = await visitor.client.requests.get.query({ accountId, requestId });
      return attempts.map((attempt) => attempt.requestId);
    };
    expect(await read(several)).toEqual([null, 'req_own']);
    expect([await read(paidByOperator), await read(paidByAccount)]).toEqual([[null], ['req_once']]);
  });
});
