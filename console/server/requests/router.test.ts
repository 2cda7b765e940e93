import type { LedgerBatch, RequestRecord } from '@tollgate/core/money/ledger';
import { beatReplica } from '@tollgate/db/queries/ledger/lost-holds';
import { putModel } from '@tollgate/db/queries/models/models';
import { commitBatch } from '@tollgate/testing/commit-batch';
import { createKeyFixture } from '@tollgate/testing/factories';
import {
  holdRequest,
  requestRecord,
  getSettlement,
  type RecordOwner,
} from '@tollgate/testing/ledger-records';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestConsole, type TestConsole } from '../testing/console-fixture.ts';
import { joinAs, signUpVerified } from '../testing/people.ts';
import { getRefusal, type Visitor } from '../testing/visitor.ts';

const MINUTE_MS = 60_000;

describe('the request log', () => {
  let site: TestConsole;
  beforeAll(async () => {
    site = await createTestConsole();
    await beatReplica(site.deps.db.sql, 'rep_test');
    await putModel(site.deps.db, {
      id: 'm',
      facts: {},
      prices: {
        inputNanoUsdPerMtok: 3_000_000_000n,
        outputNanoUsdPerMtok: 15_000_000_000n,
        cacheReadNanoUsdPerMtok: null,
        cacheWriteNanoUsdPerMtok: null,
        cacheWrite1hNanoUsdPerMtok: null,
      },
      now: new Date(Date.now() - 24 * 60 * MINUTE_MS),
    });
  });
  afterAll(() => site[Symbol.asyncDispose]());

  const commit = (batch: Partial<LedgerBatch>) => commitBatch(site.deps.db, batch);

  async function getOwner(accountId: string): Promise<RecordOwner> {
    const { key } = await createKeyFixture(site.deps.db, accountId, { name: '=cmd' });
    return { accountId, keyId: key.id };
  }

  async function settle(owner: RecordOwner, rest: Partial<RequestRecord> = {}): Promise<string> {
    const record = requestRecord(owner, { startedAtMs: Date.now() - MINUTE_MS, ...rest });
    await commit({ settlements: [record] });
    return record.id;
  }

  it('lists requests and returns one in full, with cost lines that add up to its cost', async () => {
    const { visitor, accountId } = await signUpVerified(site);
    const owner = await getOwner(accountId);
    const [price] = await site.deps.db.sql<
      { id: number }[]
    >`SELECT id::int FROM model_prices WHERE model_id = 'm'`;
    const requestId = await settle(owner, {
      priceId: price?.id ?? null,
      pricePpm: 1_200_000,
      inputTokens: 7,
      outputTokens: 11,
      costNanoUsd: 223_200n,
      queueMs: 2,
    });
    const { requests, nextCursor } = await visitor.client.requests.list.query({ accountId });
    expect(requests).toMatchObject([
      { id: requestId, keyName: '=cmd', isOpen: false, status: 200, costNanoUsd: '223200', inputTokens: 7 },
    ]);
    expect(nextCursor).toBeNull();
    const detail = await visitor.client.requests.get.query({ accountId, requestId });
    expect(detail).toMatchObject({ queueMs: 2, tokens: { input: 7, output: 11 }, operatorCostNanoUsd: null });
    expect(detail.cost).toMatchObject({
      lines: [
        { of: { kind: 'tokens', tokenClass: 'input' }, quantity: 7, rateUsd: '3.00', amountUsd: '0.000021' },
        {
          of: { kind: 'tokens', tokenClass: 'output' },
          quantity: 11,
          rateUsd: '15.00',
          amountUsd: '0.000165',
        },
      ],
      multiplierPpm: 1_200_000,
      planUsd: '0.0000372',
      roundingUsd: '0.00',
      cappedUsd: '0.00',
      prices: { inputUsd: '3.00', outputUsd: '15.00', cacheReadUsd: null, longInput: null },
    });
  });

  it('shows providers and their costs only to operators', async () => {
    const { visitor, accountId, email } = await signUpVerified(site);
    const tried = { route: 'route_1', provider: 'secret-cloud', upstreamModel: 'm-1' };
    const requestId = await settle(await getOwner(accountId), {
      attempts: [
        {
          ...tried,
          outcome: 'status_402',
          status: 402,
          durationMs: 40,
          message: 'No credit at secret-cloud',
          errorType: 'billing_error',
          detail: 'secret-cloud is down',
          next: 'other_route',
        },
        { ...tried, route: 'route_2', outcome: 'answered', status: 200, durationMs: 300, waitMs: 1_200 },
      ],
      rawUsage: '{"prompt_tokens":10,"cost":0.0042}',
    });
    const seen = await visitor.client.requests.get.query({ accountId, requestId });
    expect(seen.attempts).toMatchObject([
      {
        outcome: 'status_402',
        status: 402,
        durationMs: 40,
        waitMs: 0,
        message: null,
        errorType: 'billing_error',
        next: 'other_route',
        why: null,
        route: null,
      },
      { outcome: 'answered', waitMs: 1_200, route: null },
    ]);
    expect(seen.rawUsage).toBeNull();
    expect(JSON.stringify(seen)).not.toMatch(/secret-cloud|route_1|m-1/);
    await site.deps.db.sql`UPDATE users SET is_operator = true WHERE email = ${email}`;
    const asOperator = await visitor.client.requests.get.query({ accountId, requestId });
    expect(asOperator.rawUsage).toBe('{"prompt_tokens":10,"cost":0.0042}');
    expect(asOperator.attempts[0]?.message).toBe('No credit at secret-cloud');
    expect(asOperator.attempts[0]?.route).toEqual({
      id: 'route_1',
      provider: 'secret-cloud',
      upstreamModel: 'm-1',
    });
  });

  it('shows the error that the caller got, and what the provider said, to members', async () => {
    const { visitor, accountId } = await signUpVerified(site);
    const requestId = await settle(await getOwner(accountId), {
      status: 400,
      errorCode: 'upstream_rejected',
      errorMessage: 'Unsupported value for temperature.',
      errorParam: 'temperature',
      attempts: [
        {
          route: 'route_1',
          provider: 'p',
          upstreamModel: 'm-1',
          outcome: 'status_400',
          status: 400,
          durationMs: 40,
          errorType: 'unsupported_value',
          errorMessage: 'Unsupported value for temperature.',
          next: 'none',
          why: 'request_refused',
        },
      ],
    });
    expect(await visitor.client.requests.get.query({ accountId, requestId })).toMatchObject({
      errorMessage: 'Unsupported value for temperature.',
      errorParam: 'temperature',
      attempts: [
        {
          errorType: 'unsupported_value',
          errorMessage: 'Unsupported value for temperature.',
          next: 'none',
          why: 'request_refused',
        },
      ],
    });
  });

  it('groups failures by cause for members of the account only', async () => {
    const owner = await signUpVerified(site);
    const other = await signUpVerified(site);
    const failed = { status: 429, errorCode: 'rate_limit_requests', errorMessage: 'Try again in 5 seconds.' };
    const keyOwner = await getOwner(owner.accountId);
    await settle(keyOwner, failed);
    const exampleId = await settle(keyOwner, { ...failed, startedAtMs: Date.now() - 1_000 });
    const { groups, searchedTo } = await owner.visitor.client.requests.failures.query({
      accountId: owner.accountId,
    });
    expect(searchedTo).toBeNull();
    expect(groups).toMatchObject([
      { code: 'rate_limit_requests', failures: 2, exampleId, exampleAccountId: null, provider: null },
    ]);
    const foreign = { accountId: other.accountId, filter: { key: keyOwner.keyId } };
    expect((await other.visitor.client.requests.failures.query(foreign)).groups).toEqual([]);
    await expect(
      other.visitor.client.requests.failures.query({ accountId: owner.accountId }),
    ).rejects.toMatchObject({ data: { code: 'NOT_FOUND' } });
  });

  it('shows viewers only the log of their account', async () => {
    const owner = await signUpVerified(site);
    const requestId = await settle(await getOwner(owner.accountId));
    const viewer = await joinAs(site, 'viewer', owner.accountId);
    const asked = { accountId: owner.accountId };
    expect((await viewer.visitor.client.requests.list.query(asked)).requests).toHaveLength(1);
    const stranger = await signUpVerified(site);
    expect(await getRefusal(stranger.visitor.client.requests.list.query(asked))).toMatchObject({
      code: 'NOT_FOUND',
    });
    const own = { accountId: stranger.accountId, requestId };
    expect(await getRefusal(stranger.visitor.client.requests.get.query(own))).toMatchObject({
      code: 'NOT_FOUND',
    });
    expect((await stranger.visitor.get(`/exports/requests.csv?accountId=${owner.accountId}`)).status).toBe(
      404,
    );
    const tail = await openTail(stranger.visitor, asked);
    expect(await tail.next()).toMatch(/NOT_FOUND/);
  });

  it('exports filtered requests as CSV that no spreadsheet executes, as JSON, and as NDJSON', async () => {
    const { visitor, accountId } = await signUpVerified(site);
    const owner = await getOwner(accountId);
    const id = await settle(owner, { model: 'a "quoted", model', costNanoUsd: 132_000n });
    await settle(owner, { status: 402, errorCode: 'budget_exceeded', costNanoUsd: 0n });
    const csv = await visitor.get(`/exports/requests.csv?accountId=${accountId}&status=2xx`);
    expect(csv.headers.get('content-disposition')).toMatch(
      /^attachment; filename="requests-\d{4}-\d\d-\d\d\.csv"$/,
    );
    const [head = '', ...lines] = (await csv.text()).trimEnd().split('\r\n');
    expect(head.split(',').slice(0, 4)).toEqual(['id', 'started_at', 'key_id', 'key_name']);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(
      new RegExp(`^${id},.+,'=cmd,,/v1/messages,"a ""quoted"", model",false,ended,200,,`),
    );
    expect(lines[0]).toContain(',0.000132,');
    const json = await visitor.get(`/exports/requests.json?accountId=${accountId}`);
    expect(await json.json()).toMatchObject([
      { status: 402, cost_usd: '0.00' },
      { id, key_name: '=cmd' },
    ]);
    const ndjson = await visitor.get(`/exports/requests.ndjson?accountId=${accountId}`);
    const objects = (await ndjson.text()).trimEnd().split('\n');
    expect(objects.map((line) => JSON.parse(line))).toMatchObject([{ status: 402 }, { id }]);
    const none = await visitor.get(`/exports/requests.json?accountId=${accountId}&model=none`);
    expect(await none.json()).toEqual([]);
  });

  it('rejects an export without a session or with an invalid filter', async () => {
    const { visitor, accountId } = await signUpVerified(site);
    expect((await site.visit().get(`/exports/requests.csv?accountId=${accountId}`)).status).toBe(401);
    expect((await visitor.get(`/exports/requests.csv?accountId=${accountId}&status=good`)).status).toBe(400);
  });

  it('sends a request when it starts and when it ends, if it matches the filter', async () => {
    const { visitor, accountId } = await signUpVerified(site);
    const owner = await getOwner(accountId);
    await settle(owner, { model: 'other' });
    const tail = await openTail(visitor, { accountId, filter: { model: 'm' } });
    const hold = holdRequest(owner);
    await commit({ holds: [hold] });
    expect(await tail.next()).toContain(`"id":"${hold.id}"`);
    await commit({ settlements: [getSettlement(hold, { costNanoUsd: 900n })] });
    const ended = await tail.next();
    expect(ended).toContain('"isOpen":false');
    expect(ended).toContain('"costNanoUsd":"900"');
    await tail.close();
  });
});

/** Reads a subscription as a browser does: each event's data as text. */
async function openTail(
  visitor: Visitor,
  input: object,
): Promise<{ next(): Promise<string>; close(): Promise<void> }> {
  const path = `/trpc/requests.tail?input=${encodeURIComponent(JSON.stringify(input))}`;
  const response = await visitor.get(path, { accept: 'text/event-stream' });
  if (response.body === null) throw new Error('There is no stream');
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return {
    async next() {
      for (;;) {
        const end = text.indexOf('\n\n');
        const event = text.slice(0, end);
        if (end >= 0) text = text.slice(end + 2);
        else {
          const { done, value } = await reader.read();
          if (done) return text;
          text += value;
          continue;
        }
        if (/^data: \{/m.test(event) && !event.includes('event: connected')) return event;
      }
    },
    close: () => reader.cancel(),
  };
}
