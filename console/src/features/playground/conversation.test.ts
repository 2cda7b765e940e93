import { expect, it } from 'vitest';
import { getConversation, isStreaming, type Turn } from './conversation.ts';
import { readLoggedRequest } from './read-logged-request.ts';

function converse(...texts: string[]): Turn[] {
  const messages = texts.map((content, index) => ({ role: index % 2 === 0 ? 'user' : 'assistant', content }));
  let id = 0;
  const body = JSON.stringify({ model: 'm', messages: [...messages, { role: 'user', content: 'draft' }] });
  const read = readLoggedRequest({ endpoint: '/v1/chat/completions', body }, () => (id += 1));
  return read?.state.conversations[0] ?? [];
}

it('starts the conversation of an added model with what was said to the first one', () => {
  const first = converse('Hi', 'Hello', 'Why?', 'Because');
  const added = getConversation([first], 1);
  expect(added.map(({ kind }) => kind)).toEqual(['user', 'answer', 'user']);
  expect(added).toEqual(first.slice(0, 3));
});

it('keeps conversations that exist, and is empty without any', () => {
  const [first, second] = [converse('Hi', 'Hello'), converse('Other')];
  expect(getConversation([first, second], 1)).toBe(second);
  expect(getConversation([], 0)).toEqual([]);
  expect(getConversation([], 2)).toEqual([]);
  expect(isStreaming(first)).toBe(false);
});
