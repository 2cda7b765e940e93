import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import { BodyWorkers } from '../request-body/worker/body-workers.ts';
import { writeList } from './write-page.ts';

const message = (text: string, id?: string) => ({ type: 'message', role: 'user', content: text, id });
/** Parts of a conversation; null is an item that was deleted. */
const CONVERSATION = Buffer.from(
  JSON.stringify([
    { id: 'p1', items: [message('a'), message('b', 'msg_b')] },
    { id: 'p2', items: [null, { ...message('c'), type: 'reasoning' }] },
    { id: 'p3', items: [] },
    { id: 'p4', items: [message('d')] },
  ]),
);
const IDS = ['msg_p1_0', 'msg_b', 'rs_p2_1', 'msg_p4_0'];

const read = (
  list: Buffer,
  query: Parameters<typeof writeList>[2],
  source: Parameters<typeof writeList>[1],
) => {
  const written = writeList(list, source, query);
  if (written === null) return null;
  const { data, ...rest } = JSON.parse(String(written)) as { data: { id: string }[]; has_more: boolean };
  return { ...rest, ids: data.map(({ id }) => id) };
};

describe('the list of a conversation', () => {
  it.each([true, false])('is written in pages, ascending: %s', (isAscending) => {
    const ids = isAscending ? IDS : IDS.toReversed();
    for (const limit of [1, 3, 4, 5])
      for (const after of [null, ...ids]) {
        const start = after === null ? 0 : ids.indexOf(after) + 1;
        const expected = ids.slice(start, start + limit);
        expect(read(CONVERSATION, { limit, isAscending, after }, 'conversation')).toEqual({
          object: 'list',
          ids: expected,
          first_id: expected[0] ?? null,
          last_id: expected.at(-1) ?? null,
          has_more: start + limit < ids.length,
        });
      }
    expect(read(CONVERSATION, { limit: 1, isAscending, after: 'msg_x' }, 'conversation')).toBeNull();
  });

  it('has each item by its id', () => {
    for (const itemId of IDS)
      expect(JSON.parse(String(writeList(CONVERSATION, 'conversation', { itemId })))).toMatchObject({
        id: itemId,
      });
    expect(writeList(CONVERSATION, 'conversation', { itemId: 'msg_x' })).toBeNull();
  });
});

it('writes a page of many large parts in a small heap', async () => {
  const item = JSON.stringify({ ...message('a'), more: Array<number>(110_000).fill(1) });
  const parts = Array.from({ length: 60 }, (_, at) => `{"id":"p${at}","items":[${item}]}`);
  const list = new TextEncoder().encode(`[${parts.join(',')}]`);
  await using resources = new AsyncDisposableStack();
  const workers = new BodyWorkers({ threads: 1, timeLimitMs: 60_000, maxHeapMib: 256 });
  resources.defer(() => workers.close());
  const query = { limit: 100, isAscending: true, after: null };
  const job = { kind: 'page', source: 'conversation', query, body: list } as const;
  const page = await workers.run(() => job, { bytes: list.length, owner: 'a', isWanted: () => true });
  const { data } = JSON.parse(Buffer.from(page?.body ?? []).toString()) as { data: object[] };
  expect(data).toHaveLength(60);
}, 60_000);

it('writes the input of a response', () => {
  const list = Buffer.from(JSON.stringify([message('a'), message('b', 'msg_b')]));
  const source = { responseId: 'resp_1' };
  const query = { limit: 5, isAscending: false, after: null };
  expect(read(list, query, source)).toMatchObject({ ids: ['msg_b', 'msg_1_in0'], has_more: false });
  expect(read(Buffer.from('"text"'), query, source)).toMatchObject({ ids: [] });
});
