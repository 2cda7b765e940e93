import { createId } from '@tollgate/core/runtime/ids';
import type { RequestRecord } from '@tollgate/core/money/ledger';
import { commitBatch } from '@tollgate/testing/commit-batch';
import { createTestDatabase } from '@tollgate/testing/database';
import { holdRequest } from '@tollgate/testing/ledger-records';
import { eq, getTableColumns } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requests } from '../../schema/requests.ts';
import { HOLD_COLUMNS, SETTLEMENT_COLUMNS } from './record-columns.fixture.ts';
import { createOwner } from './used-ledger.fixture.ts';

/** Each value differs from the default of its column and from those of `holdRequest`. */
const OUTCOME = {
  provider: 'the "provider"',
  upstreamModel: 'a\\b',
  routeId: 'route_1',
  attempts: [
    { route: 'r', provider: 'p', upstreamModel: 'm', outcome: 'status_500', status: 500, durationMs: 3 },
  ],
  streamed: true,
  status: 203,
  errorCode: 'upstream_error',
  inputTokens: 101,
  cacheReadTokens: 102,
  cacheWriteTokens: 103,
  cacheWrite1hTokens: 104,
  outputTokens: 105,
  extras: { toolCalls: { web_search: 2 } },
  estimated: true,
  priceId: 77,
  costNanoUsd: 901n,
  operatorCostNanoUsd: 902n,
  latencyMs: 201,
  firstByteMs: 202,
  queueMs: 203,
  holdMs: 204,
  connectMs: 205,
  rawUsage: '{"a": "\\"\\\\"}',
  reportedCostNanoUsd: 903n,
  servedTerms: { model: 'm-2', serviceTier: 'flex', speed: null, inferenceGeo: null },
  billedTerms: { serviceTier: 'batch', speed: null, inferenceGeo: null },
  priceMismatch: 'model other',
  client: 'codex_exec 0.171.0',
  sessionHash: 9_007_199_254_740_991,
  routeChoice: 'weight',
  requestedModel: 'another-model',
  ownCredential: true,
  errorMessage: 'the "message"',
  errorParam: 'messages.0.role',
  providerRequestId: 'req_011',
} as const satisfies Partial<RequestRecord>;

describe('the columns of a record', () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database[Symbol.asyncDispose]());

  it.each([
    ['settlement', SETTLEMENT_COLUMNS],
    ['hold', HOLD_COLUMNS],
  ])('are the attributes of the SQL type %s, in its order', async (name, columns) => {
    const actual = await database.db.sql<{ attribute: string }[]>`
      SELECT attname || ' ' || format_type(atttypid, atttypmod) AS attribute FROM pg_attribute
      WHERE attrelid = ${name}::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum`;
    expect(Object.values(columns).map((column) => `${column.name} ${column.getSQLType()}`)).toEqual(
      actual.map(({ attribute }) => attribute),
    );
  });

  const propertyNames = new Map(
    Object.entries(getTableColumns(requests)).map(([property, column]) => [column.name, property]),
  );
  /** The values of a record as they are to be read from `requests`, by column. */
  const toRow = (record: object, columns: Readonly<Record<string, { name: string }>>) => {
    const values = new Map(Object.entries(record));
    const stored = Object.entries(columns).flatMap(([member, { name }]) => {
      if (!propertyNames.has(name)) return [];
      const value: unknown = values.get(member);
      return [[name, member === 'startedAtMs' ? new Date(Number(value)) : value] as const];
    });
    return Object.fromEntries(stored);
  };
  const readRow = async (id: string, columns: Readonly<Record<string, { name: string }>>) => {
    const [row] = await database.db.drizzle.select().from(requests).where(eq(requests.id, id));
    const values = new Map(Object.entries(row ?? {}));
    return Object.fromEntries(
      Object.values(columns).flatMap(({ name }) => {
        const property = propertyNames.get(name);
        return property === undefined ? [] : [[name, values.get(property)] as const];
      }),
    );
  };
  const start = async () => {
    const owner = await createOwner(database, 'internal');
    const id = createId('req');
    const hold = holdRequest(owner, { id, wantNanoUsd: 5_000n, pricePpm: 1_300_000, session: 'a session' });
    const { startedAtMs, accountId, keyId, endpoint, model, pricePpm, session } = hold;
    const identity = { id, startedAtMs, accountId, keyId, endpoint, model, pricePpm, session };
    return { hold, settlement: { ...identity, ...OUTCOME, isHeld: true, recovered: true } };
  };

  it('are all stored when a request without a hold is settled', async () => {
    const settlement = { ...(await start()).settlement, isHeld: false };
    await commitBatch(database.db, { settlements: [settlement] });
    expect(await readRow(settlement.id, SETTLEMENT_COLUMNS)).toEqual(toRow(settlement, SETTLEMENT_COLUMNS));
  });

  it('are all stored when a hold is settled', async () => {
    const { hold, settlement } = await start();
    await commitBatch(database.db, { holds: [hold] });
    expect(await readRow(hold.id, HOLD_COLUMNS)).toEqual(toRow(hold, HOLD_COLUMNS));
    await commitBatch(database.db, { settlements: [settlement] });
    expect(await readRow(hold.id, SETTLEMENT_COLUMNS)).toEqual(toRow(settlement, SETTLEMENT_COLUMNS));
  });

  it('are all stored when a late settlement replaces an estimate', async () => {
    const { hold, settlement } = await start();
    const nothing = Object.keys(OUTCOME).map((member) => [member, null] as const);
    const numbers = {
      inputTokens: 1,
      cacheReadTokens: 1,
      cacheWriteTokens: 1,
      cacheWrite1hTokens: 1,
      outputTokens: 1,
    };
    const flags = { streamed: false, estimated: false, status: 499, latencyMs: 1 };
    const costs = { costNanoUsd: 1n, operatorCostNanoUsd: 1n };
    const estimate = { ...settlement, ...Object.fromEntries(nothing), ...numbers, ...flags, ...costs };
    await commitBatch(database.db, { holds: [hold] });
    await commitBatch(database.db, { settlements: [estimate] });
    expect(await readRow(hold.id, SETTLEMENT_COLUMNS)).toMatchObject({ provider: null, raw_usage: null });
    const actual = { ...settlement, recovered: false };
    await commitBatch(database.db, { settlements: [actual] });
    expect(await readRow(hold.id, SETTLEMENT_COLUMNS)).toEqual(toRow(actual, SETTLEMENT_COLUMNS));
  });

  it('have a value in this test, so that a forgotten one is found', async () => {
    const { settlement } = await start();
    expect(Object.keys(settlement).toSorted()).toEqual(Object.keys(SETTLEMENT_COLUMNS).toSorted());
  });

  it('keep a batch of an older release waiting if a newer one has added a column', async () => {
    await using upgraded = await createTestDatabase();
    await upgraded.db.sql`ALTER TYPE settlement ADD ATTRIBUTE next_column text`;
    const { settlement } = await start();
    await expect(commitBatch(upgraded.db, { settlements: [settlement] })).rejects.toMatchObject({
      kind: 'unavailable',
    });
  });
});
