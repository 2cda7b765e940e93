import { expect, it } from 'vitest';
import { createConversation } from './conversation.ts';

it.each([20_000, 200_000])('is about %i bytes long and has several turns', (bytes) => {
  const text = createConversation({ model: 'm', bytes, seed: 1 });
  const length = Buffer.byteLength(text);
  expect(length).toBeGreaterThan(bytes * 0.95);
  expect(length).toBeLessThan(bytes * 1.5);
  const { messages } = JSON.parse(text) as { messages: { role: string; content: string }[] };
  expect(messages.length).toBeGreaterThan(8);
  expect(new Set(messages.map(({ role }) => role))).toEqual(new Set(['system', 'user', 'assistant', 'tool']));
});

it('answers every tool call and repeats no text for another seed', () => {
  const [one, two, again] = [1, 2, 1].map((seed) => createConversation({ model: 'm', bytes: 20_000, seed }));
  expect(one).toBe(again);
  expect(one).not.toBe(two);
  const ids = [...(one ?? '').matchAll(/"id":"(call_[^"]+)"/g)].map(([, id]) => id);
  const answered = [...(one ?? '').matchAll(/"tool_call_id":"(call_[^"]+)"/g)].map(([, id]) => id);
  expect(answered).toEqual(ids);
});
