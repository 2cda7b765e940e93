import type { RequestRecord } from '@tollgate/core/money/ledger';
import { RowText } from './row-text.ts';
import { writeSettlement } from './queries/ledger/write-settlement.ts';
import { createTestDatabase } from '@tollgate/testing/database';
import { requestRecord } from '@tollgate/testing/ledger-records';
import { afterAll, describe, expect, it } from 'vitest';

const OWNER = { accountId: 'acct_a', keyId: 'key_a' };
const TEXTS = [
  '',
  ' ',
  'NULL',
  'plain-text_1./:@',
  'a,b',
  '(a)',
  '{a}',
  'a "quoted" \\ text\\',
  '"',
  '\\"',
  '\t\n\r\v\f',
  '\u0001\u007f',
  'é',
  'a "é" \\',
  '日本 "語" 😀\\',
  '"'.repeat(9_000),
  'ü'.repeat(70_000),
];

describe('a row as text', async () => {
  const database = await createTestDatabase();
  afterAll(() => database[Symbol.asyncDispose]());
  const row = new RowText();
  const readBack = async (records: readonly RequestRecord[]) =>
    database.db.sql`
      SELECT s.model, s.provider, s.raw_usage, s.attempts, s.status, s.price_id, s.cost_nano_usd,
        s.session_hash, s.first_byte_ms, s.streamed, s.estimated,
        (extract(epoch FROM s.started_at) * 1000)::bigint AS started_ms
      FROM unnest(${row.array(records, writeSettlement)}::text::settlement[]) AS s`;

  it('reads every text back', async () => {
    const records = TEXTS.map((text) =>
      requestRecord(OWNER, {
        model: text,
        provider: null,
        rawUsage: text,
        attempts: [{ route: text } as never],
      }),
    );
    const rows = await readBack(records);
    expect(rows.map(({ model }) => model)).toEqual(TEXTS);
    expect(rows.map(({ raw_usage: usage }) => usage)).toEqual(TEXTS);
    expect(rows.map(({ attempts }) => attempts)).toEqual(TEXTS.map((route) => [{ route }]));
    expect(rows.every(({ provider }) => provider === null)).toBe(true);
  });

  it.each([0, 9, 10, 99, 100, 65_535, 2_147_483_646, 2_147_483_647])(
    'reads the number %i back',
    async (count) => {
      const [found] = await readBack([
        requestRecord(OWNER, {
          status: count,
          priceId: count,
          costNanoUsd: BigInt(count),
          firstByteMs: null,
        }),
      ]);
      expect(found).toMatchObject({
        status: count,
        price_id: BigInt(count),
        cost_nano_usd: BigInt(count),
        first_byte_ms: null,
      });
    },
  );

  it('reads large and negative numbers back', async () => {
    const [found] = await readBack([
      requestRecord(OWNER, {
        status: -5,
        priceId: 2_147_483_648,
        sessionHash: Number.MAX_SAFE_INTEGER,
        costNanoUsd: -9_223_372_036_854_775_807n,
        firstByteMs: -0,
      }),
    ]);
    expect(found).toMatchObject({
      status: -5,
      price_id: 2_147_483_648n,
      session_hash: 9_007_199_254_740_991n,
      cost_nano_usd: -9_223_372_036_854_775_807n,
      first_byte_ms: 0,
    });
  });

  it('reads times and flags back', async () => {
    const times = [0, 7, 50, 999, 1_000, 1_795_000_000_123, 1_795_000_000_009, -1, -1_001];
    const rows = await readBack(
      times.map((startedAtMs, at) =>
        requestRecord(OWNER, { startedAtMs, streamed: at % 2 === 0, estimated: at % 2 === 1 }),
      ),
    );
    expect(rows.map(({ started_ms: ms }) => Number(ms))).toEqual(times);
    expect(rows.map(({ streamed }) => streamed)).toEqual(times.map((_, at) => at % 2 === 0));
    expect(rows.map(({ estimated }) => estimated)).toEqual(times.map((_, at) => at % 2 === 1));
  });

  it('has no rows in an empty array', async () => {
    expect(await readBack([])).toHaveLength(0);
  });

  it('starts anew after a row that cannot be written', async () => {
    expect(() => row.array([requestRecord(OWNER, { startedAtMs: NaN })], writeSettlement)).toThrow(
      RangeError,
    );
    expect(await readBack([requestRecord(OWNER, { model: 'next' })])).toMatchObject([{ model: 'next' }]);
  });
});
