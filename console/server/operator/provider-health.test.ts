import { createServer, type Server } from 'node:http';
import type { AttemptRecord, RequestRecord } from '@tollgate/core/money/ledger';
import { sumRequests } from '@tollgate/db/queries/usage/providers/sum-requests';
import { commitBatch } from '@tollgate/testing/commit-batch';
import { requestRecord } from '@tollgate/testing/ledger-records';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestConsole, type TestConsole } from '../testing/console-fixture.ts';
import { signUpOperator, type SignedIn } from '../testing/people.ts';

const TERMS = {
  baseUrl: '',
  settings: {},
  connectTimeoutMs: null,
  firstByteTimeoutMs: null,
  idleTimeoutMs: null,
  totalTimeoutMs: null,
  maxConcurrency: null,
};
const SECRET = 'sk-a-secret-of-the-operator';

describe('the health in operator.providers', () => {
  let site: TestConsole;
  let operator: SignedIn;
  let upstream: Server;
  let upstreamUrl: string;
  beforeAll(async () => {
    site = await createTestConsole();
    operator = await signUpOperator(site);
    upstream = createServer((request, response) => {
      const isKnown = request.headers.authorization === `Bearer ${SECRET}`;
      response.writeHead(isKnown ? 200 : 401, { 'content-type': 'application/json' });
      response.end(isKnown ? '{"data":[{"id":"a"},{"id":"b"}]}' : '{"error":"who are you"}');
    });
    await new Promise<void>((resolve) => {
      upstream.listen(0, '127.0.0.1', resolve);
    });
    const address = upstream.address();
    if (address === null || typeof address === 'string') throw new Error('No port');
    upstreamUrl = `http://127.0.0.1:${address.port}/v1`;
  });
  afterAll(async () => {
    upstream.close();
    await site[Symbol.asyncDispose]();
  });
  const client = () => operator.visitor.client.operator.providers;
  const own = (name: string) => ({
    name,
    preset: null,
    dialect: 'openai-chat' as const,
    terms: { ...TERMS, baseUrl: `${upstreamUrl}/` },
    credential: SECRET,
  });
  const find = async (name: string) => {
    const { providers } = await client().list.query();
    const found = providers.find((provider) => provider.name === name);
    if (found === undefined) throw new Error(`There is no provider ${name}`);
    return found;
  };

  const addRequest = async (request: {
    minutesAgo: number;
    provider: string;
    code: RequestRecord['errorCode'];
    tries?: Pick<AttemptRecord, 'provider' | 'outcome' | 'message' | 'next' | 'why'>[];
  }) => {
    const { minutesAgo, provider, code, tries } = request;
    const { db, clock } = site.deps;
    const { accountId } = operator;
    const record = requestRecord(
      { accountId, keyId: 'key_1' },
      {
        startedAtMs: clock.nowMs() - minutesAgo * 60_000,
        provider,
        status: code === null ? 200 : 502,
        errorCode: code,
        attempts:
          tries?.map((attempt) => ({
            route: 'route_1',
            upstreamModel: 'm',
            status: null,
            durationMs: 1,
            ...attempt,
          })) ?? null,
      },
    );
    await commitBatch(db, { settlements: [record] });
    await sumRequests(db, clock.nowMs());
  };

  it('counts the attempts of the last hour, including those with failover', async () => {
    await client().add.mutate(own('flaky'));
    await client().add.mutate(own('steady'));
    const attempts = [
      { provider: 'flaky', outcome: 'status_402', message: 'Insufficient credits' },
      { provider: 'steady', outcome: 'answered' },
    ];
    await addRequest({ minutesAgo: 5, provider: 'steady', code: null, tries: attempts });
    await addRequest({ minutesAgo: 6, provider: 'flaky', code: 'upstream_error' });
    await addRequest({ minutesAgo: 7, provider: 'steady', code: 'upstream_rejected' });
    const rejection = { outcome: 'status_400', next: 'none', why: 'request_refused' } as const;
    const rejected = { provider: 'steady', code: 'upstream_rejected' };
    await addRequest({ ...rejected, minutesAgo: 7, tries: [{ provider: 'steady', ...rejection }] });
    await addRequest({ minutesAgo: 90, provider: 'steady', code: 'upstream_error' });
    expect((await find('flaky')).health).toMatchObject({
      calls: 2,
      failures: 2,
      lastMessage: { text: 'Insufficient credits', at: expect.any(String) },
    });
    expect((await find('steady')).health).toEqual({
      calls: 3,
      failures: 0,
      lastFailureAt: null,
      lastMessage: null,
    });
  });

  it('shows what a provider said until a later request or test succeeds', async () => {
    const refuse = (provider: string) =>
      addRequest({
        minutesAgo: 5,
        provider,
        code: 'upstream_misconfigured',
        tries: [{ provider, outcome: 'status_402', message: 'No credits' }],
      });
    const read = async (name: string) => (await find(name)).health?.lastMessage;
    const said = { text: 'No credits', at: expect.any(String) };
    for (const name of ['fixed', 'rejecting', 'tested']) {
      await client().add.mutate(own(name));
      await refuse(name);
      expect(await read(name)).toEqual(said);
    }
    await addRequest({ minutesAgo: 7, provider: 'fixed', code: null });
    expect(await read('fixed')).toEqual(said);
    await addRequest({ minutesAgo: 4, provider: 'fixed', code: null });
    expect(await read('fixed')).toBeNull();
    await addRequest({ minutesAgo: 4, provider: 'rejecting', code: 'upstream_rejected' });
    expect(await read('rejecting')).toEqual(said);
    const { id } = await find('tested');
    await client().change.mutate({
      providerId: id,
      terms: { ...TERMS, baseUrl: upstreamUrl },
      credential: 'another-key',
    });
    expect(await client().test.mutate({ providerId: id })).toMatchObject({ ok: false });
    expect(await read('tested')).toEqual(said);
    await client().change.mutate({
      providerId: id,
      terms: { ...TERMS, baseUrl: upstreamUrl },
      credential: SECRET,
    });
    expect(await client().test.mutate({ providerId: id })).toMatchObject({ ok: true });
    expect(await read('tested')).toBeNull();
  });
});
