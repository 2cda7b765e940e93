import { Buffer } from 'node:buffer';
import { sealItems } from '@tollgate/dialects/openai-responses/carried/item-id';
import { expect, it } from 'vitest';
import { readAddedItems } from './added-items.ts';

/** References whose ids carry messages of so many values each. */
const withReferences = (count: number, values: number) => {
  const items = Array.from({ length: count }, (_, at) => {
    const item = {
      id: `msg_${at}`,
      type: 'message',
      role: 'user',
      content: 'x',
      more: Array(values).fill(1),
    };
    return { type: 'item_reference', id: sealItems(item.id, JSON.stringify({ item })) };
  });
  return Buffer.from(JSON.stringify({ items }));
};

it('writes carried items in place of their references', () => {
  const read = readAddedItems(withReferences(2, 10));
  if (!read.ok) throw new Error(read.error.message);
  expect(JSON.parse(String(read.value.items))).toMatchObject([{ id: 'msg_0' }, { id: 'msg_1' }]);
});

it('refuses ids that carry so many values that parsing them could end the process', () => {
  const message =
    'The ids in items carry items with more than 200000 values in total. Send the items themselves.';
  const refused = { ok: false, error: { code: 'invalid_request', param: 'items', message } };
  expect(readAddedItems(withReferences(1, 250_000))).toMatchObject(refused);
  expect(readAddedItems(withReferences(5, 60_000))).toMatchObject(refused);
  expect(readAddedItems(withReferences(20, 480_000))).toMatchObject(refused);
});
