import { carryItem } from '@tollgate/dialects/openai-responses/carried/item-id';
import { afterAll, expect, it } from 'vitest';
import { NATIVE } from '../native-provider.ts';
import { startStoredHarness } from './stored-harness.ts';

const gateway = await startStoredHarness();
afterAll(() => gateway[Symbol.asyncDispose]());

it('a conversation has the items that ids carry, not references to them', async () => {
  const { client } = gateway;
  const { id } = await client.conversations.create();
  const content = [{ type: 'output_text', text: 'Earlier', annotations: [] }];
  const item = { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content };
  const reference = { type: 'item_reference' as const, id: String(carryItem(item)['id']) };
  const next = { role: 'user' as const, content: 'Next' };
  await client.responses.create({ model: NATIVE, conversation: id, input: [reference, next] });
  const { data } = await client.conversations.items.list(id, { order: 'asc' });
  expect(data.slice(0, 2)).toMatchObject([
    { type: 'message', role: 'assistant', content: [{ text: 'Earlier' }] },
    { type: 'message', role: 'user', content: [{ text: 'Next' }] },
  ]);
});
