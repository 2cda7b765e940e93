import { describe, expect, it } from 'vitest';
import { hashConversationStart } from './conversation-start.ts';
import type { JsonObject } from './json/parse-object.ts';

const user = (content: unknown) => ({ role: 'user', content });
const later = [{ role: 'assistant', content: 'Hello' }, user('And now?')];

const BODIES: Record<string, (first: unknown, more?: object[]) => JsonObject> = {
  'chat completions': (first, more = []) => ({
    messages: [{ role: 'system', content: 'Be brief.' }, user(first), ...more],
  }),
  responses: (first, more = []) => ({ instructions: 'Be brief.', input: [user(first), ...more] }),
  messages: (first, more = []) => ({
    system: [{ type: 'text', text: 'Be brief.' }],
    messages: [user(first), ...more],
  }),
};

describe.each(Object.entries(BODIES))('the start of a conversation in %s', (_, body) => {
  it('stays the same in its later requests', () => {
    const parts = [{ type: 'text', text: 'Hi' }];
    expect(hashConversationStart(body('Hi', later))).toBe(hashConversationStart(body('Hi')));
    expect(hashConversationStart(body(parts, later))).toBe(hashConversationStart(body('Hi')));
  });

  it.each([
    ['another text', 'Hi', 'Ho'],
    ['another end of a long text', `${'x'.repeat(5_000)}a`, `${'x'.repeat(5_000)}b`],
    ['another length of a text', 'x'.repeat(5_000), 'x'.repeat(5_001)],
  ])('differs with %s', (_name, first, second) => {
    expect(hashConversationStart(body(first))).not.toBe(hashConversationStart(body(second)));
  });
});

it('is the same in all dialects, and depends on the instructions', () => {
  const hashes = Object.values(BODIES).map((body) => hashConversationStart(body('Hi')));
  expect(new Set(hashes).size).toBe(1);
  expect(hashConversationStart({ input: 'Hi', instructions: 'Be brief.' })).toBe(hashes[0]);
  expect(hashConversationStart({ input: 'Hi', instructions: 'Be long.' })).not.toBe(hashes[0]);
});

it.each<[string, JsonObject]>([
  ['no message', { messages: [] }],
  ['none of the user', { messages: [{ role: 'assistant', content: 'Hi' }] }],
  ['nothing readable', { messages: [null, 'Hi', 7] }],
  ['no conversation', { prompt: 'Hi' }],
])('is unknown with %s', (_, body) => {
  expect(hashConversationStart(body)).toBeNull();
});
