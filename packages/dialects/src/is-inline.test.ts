import { expect, it } from 'vitest';
import { isInline } from './is-inline.ts';

it.each([
  { type: 'agent_message', text: 'Done.', id: 'a' },
  { type: 'ghost_snapshot', commit: { id: 'abc', parents: ['x', 'y'] } },
  { type: 'future', file_id: null, url: '', text: 'see https://example.com' },
])('is true for text: %j', (item) => {
  expect(isInline(item)).toBe(true);
});

it.each([
  { type: 'future', file_id: 'file_1' },
  { type: 'future', source: { url: 'example.com/a' } },
  { type: 'future', image_url: 'https://example.com/a.png' },
  { type: 'future', target: 'https://example.com/a' },
  { type: 'future', parts: [{ content: ['s3://bucket/a'] }] },
  { type: 'future', file_data: 'AAAA' },
  { type: 'future', vector_store_ids: ['vs_1'] },
  { type: 'future', inner: 'data:application/pdf;base64,AA==' },
])('is false for what is stored, fetched or packed: %j', (item) => {
  expect(isInline(item)).toBe(false);
});

it('is false for unrealistically deep nesting', () => {
  let item: object = { text: 'x' };
  for (let level = 0; level < 2_000; level += 1) item = level % 2 === 0 ? { item } : { items: [item] };
  expect(isInline({ type: 'future', item })).toBe(false);
});
