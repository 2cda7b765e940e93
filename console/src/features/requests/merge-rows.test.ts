import { describe, expect, it } from 'vitest';
import type { RequestListRow } from '../../lib/trpc.ts';
import { addLive, mergeRows } from './merge-rows.ts';

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
  cacheReadTokens: 0,
  outputTokens: 1,
  costNanoUsd: '1',
  latencyMs: 1,
  firstByteMs: 1,
  estimated: false,
  recovered: false,
  client: null,
  session: null,
  ...rest,
});

describe('mergeRows', () => {
  const log = { listed: [row(5), row(3)], hasMore: false, isOpenOnly: false };
  const live = (...rows: RequestListRow[]) => addLive(new Map(), rows);
  const ids = (rows: RequestListRow[]) => rows.map(({ id }) => id);

  it('lists each request once, in order', () => {
    expect(ids(mergeRows({ ...log, live: live(row(4), row(6), row(5)) }))).toEqual([
      'req_6',
      'req_5',
      'req_4',
      'req_3',
    ]);
  });

  it('orders requests of the same moment by id, whatever arrived first', () => {
    const sameMoment = (id: string) =>
      row(4, { id: `req_${id}`, position: `2026-11-22T00:00:04.000000Z~req_${id}` });
    const [a, b, c] = [sameMoment('a'), sameMoment('b'), sameMoment('c')];
    const order = ['req_5', 'req_c', 'req_b', 'req_a', 'req_3'];
    for (const arrived of [live(a, c, b), live(c, b, a), live(b, a, c)])
      expect(ids(mergeRows({ ...log, live: arrived }))).toEqual(order);
  });

  it('prefers the finished state from either source', () => {
    const listedOpen = { ...log, listed: [row(5, { isOpen: true })], live: live(row(5)) };
    expect(mergeRows(listedOpen)).toMatchObject([{ isOpen: false }]);
    const liveOpen = { ...log, listed: [row(5)], live: live(row(5, { isOpen: true })) };
    expect(mergeRows(liveOpen)).toMatchObject([{ isOpen: false }]);
  });

  it('leaves no gap: live rows older than the loaded pages wait', () => {
    expect(ids(mergeRows({ ...log, hasMore: true, live: live(row(1), row(4)) }))).toEqual([
      'req_5',
      'req_4',
      'req_3',
    ]);
  });

  it('drops finished requests if the filter is open requests only', () => {
    const open = row(5, { isOpen: true });
    expect(ids(mergeRows({ ...log, listed: [open, row(3)], isOpenOnly: true, live: live() }))).toEqual([
      'req_5',
    ]);
    expect(mergeRows({ ...log, listed: [open], isOpenOnly: true, live: live(row(5)) })).toEqual([]);
  });
});
