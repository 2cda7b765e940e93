import { Buffer } from 'node:buffer';
import { carryItem } from '@tollgate/dialects/openai-responses/carried/item-id';
import { expect, it } from 'vitest';
import { expandBody } from './expand-body.ts';

const ITEM = { id: 'msg_1', type: 'message', role: 'assistant', content: [] };
const ID = JSON.stringify(carryItem(ITEM)['id']);
const body = (reference: string) =>
  Buffer.from(`{"model":"m","input":[{"type":"item_reference",${reference}}]}`);

it('items take the place of references in a request of the Responses API', () => {
  const given = body(`"id":${ID}`);
  const expanded = expandBody('/v1/responses', given);
  expect(expanded.ok && JSON.parse(String(expanded.value)).input).toEqual([ITEM]);
  expect(expandBody('/v1/chat/completions', given)).toEqual({ ok: true, value: given });
});

it('a body that JSON parsers read differently is refused before its items are read', () => {
  expect(expandBody('/v1/responses', body(`"id":"msg_2","id":${ID}`))).toMatchObject({
    ok: false,
    error: { code: 'invalid_request', param: 'input.0.id' },
  });
});
