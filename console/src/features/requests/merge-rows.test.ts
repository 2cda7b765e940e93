import { describe, expect, it } from 'vitest';
import type { RequestListRow } from '../../lib/trpc.ts';
import { addTold, mergeRows } from './merge-rows.ts';

const row = (second: number, rest: Partial<RequestListRow> = {}): RequestListRow => ({
  id: `req_${second}`,
  startedAt: `2026-11-22T00:00:0${second}.000Z`,
  position: `2026-11-22T00:00:0${second}.000000Z~req_${second}`,
  keyId: 'key_1',
  keyName: 'ci',
  endpoint: '/v1/messages',
  model: 'm',
  streamed: false,
  isOpen: false,
  status: 200,
  errorCode: null,
  inputTokens: 1,
  outputTokens: 1,
  costNanoUsd: '1',
  latencyMs: 1,
  firstByteMs: 1,
  estimated: false,
  recovered: false,
  ...rest,
});

describe('mergeRows', () => {
  const log = { listed: [row(5), row(3)], hasMore: false, isOpenOnly: false };
  const told = (...rows: RequestListRow[]) => addTold(new Map(), rows);
  const ids = (rows: RequestListRow[]) => rows.map(({ id }) => id);

  it('puts each request once and in its place', () => {
    expect(ids(mergeRows({ ...log, told: told(row(4), row(6), row(5)) }))).toEqual([
      'req_6',
      'req_5',
      'req_4',
      'req_3',
    ]);
  });

  it('shows a request as it ended, whichever of both knows it', () => {
    const listedOpen = { ...log, listed: [row(5, { isOpen: true })], told: told(row(5)) };
    expect(mergeRows(listedOpen)).toMatchObject([{ isOpen: false }]);
    const toldOpen = { ...log, listed: [row(5)], told: told(row(5, { isOpen: true })) };
    expect(mergeRows(toldOpen)).toMatchObject([{ isOpen: false }]);
  });

  it('leaves no hole: what is older than the last that was read waits until the list comes there', () => {
    expect(ids(mergeRows({ ...log, hasMore: true, told: told(row(1), row(4)) }))).toEqual([
      'req_5',
      'req_4',
      'req_3',
    ]);
  });

  it('drops what has ended where only what is under way is asked for', () => {
    const open = row(5, { isOpen: true });
    expect(ids(mergeRows({ ...log, listed: [open, row(3)], isOpenOnly: true, told: told() }))).toEqual([
      'req_5',
    ]);
    expect(mergeRows({ ...log, listed: [open], isOpenOnly: true, told: told(row(5)) })).toEqual([]);
  });
});
