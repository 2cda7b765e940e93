import type { CompletionEvent } from '@tollgate/core/completion/events';
import { expect, it } from 'vitest';
import { UniqueCallIds } from './unique-call-ids.ts';

const call = (id: string) => ({ type: 'tool_call' as const, id, name: 'f', arguments: '{}', cache: null });
const IDS = ['a', 'b', 'a', 'a', '2_a'];
const UNIQUE = ['a', 'b', '2_a', '3_a', '2_2_a'];

it('gives the calls of a response different ids', () => {
  const [first, second] = [IDS.slice(0, 2), IDS.slice(2)].map((ids) => ({
    content: ids.map(call),
    finish: { type: 'tool_calls' as const },
  }));
  const choices = [first, second].filter((choice) => choice !== undefined);
  new UniqueCallIds().renameAll({
    id: 'r',
    model: 'm',
    createdAt: null,
    choices,
    usage: null,
    serviceTier: null,
  });
  expect(choices.flatMap(({ content }) => content.map(({ id }) => id))).toEqual(UNIQUE);
});

it('takes no more time for each call of many with the same id', () => {
  const ids = new UniqueCallIds();
  const renamed = Array.from({ length: 50_000 }, (_, block) =>
    ids.rename({
      type: 'block_start',
      choice: 0,
      block,
      start: { type: 'tool_call', id: 'same', name: 'f' },
    }),
  );
  expect(new Set(renamed.map((event) => JSON.stringify(event))).size).toBe(50_000);
});

it('renames the starts of calls in a stream, and leaves all other events', () => {
  const ids = new UniqueCallIds();
  const starts = IDS.map((id, block): CompletionEvent => {
    return { type: 'block_start', choice: 0, block, start: { type: 'tool_call', id, name: 'f' } };
  });
  expect(starts.map((start) => ids.rename(start))).toEqual(
    starts.map((start, at) => ({ ...start, start: { type: 'tool_call', id: UNIQUE[at], name: 'f' } })),
  );
  const other: CompletionEvent = { type: 'ping' };
  expect(ids.rename(other)).toBe(other);
});
