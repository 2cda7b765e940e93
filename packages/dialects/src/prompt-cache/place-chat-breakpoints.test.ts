import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import { JsonObjectBytes } from '../json/edit-members.ts';
import { parseJsonObject, type JsonObject } from '../json/parse-object.ts';
import { placeChatBreakpoints } from './place-chat-breakpoints.ts';

const CLAUDE = 'anthropic/claude-sonnet-5';
const MARK = { cache_control: { type: 'ephemeral' } };
const LONG = 'word '.repeat(1_000);
const TOOLS = [{ type: 'function', function: { name: 'read', parameters: { type: 'object' } } }];
const system = { role: 'system', content: LONG };
const user = (content: unknown) => ({ role: 'user', content });
const call = { role: 'assistant', content: null, tool_calls: [{ id: 'a', type: 'function', function: {} }] };
const result = { role: 'tool', tool_call_id: 'a', content: 'x' };
const marked = (text: string) => [{ type: 'text', text, ...MARK }];

/** @returns null if the body keeps its bytes */
function place(given: JsonObject, model = CLAUDE): JsonObject | null {
  const body = new JsonObjectBytes(Buffer.from(JSON.stringify(given, null, 1)));
  const inside = placeChatBreakpoints(body, model);
  if (inside.length === 0) return null;
  return parseJsonObject(body.edit({ drops: [], changes: {}, inside }).toString());
}

describe('placeChatBreakpoints', () => {
  it('marks the system prompt, the end of the request and that of the request before', () => {
    const body = { messages: [system, user('Fix "it"'), call, result, call, result], tools: TOOLS };
    expect(place(body)).toEqual({
      tools: TOOLS,
      messages: [
        { role: 'system', content: marked(LONG) },
        user('Fix "it"'),
        call,
        { ...MARK, ...result },
        call,
        { ...MARK, ...result },
      ],
    });
  });

  it('marks the last part of a message', () => {
    const parts = [
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
    ];
    expect(place({ messages: [system, user(parts)], tools: TOOLS })).toMatchObject({
      messages: [{ content: marked(LONG) }, { content: [parts[0], { ...parts[1], ...MARK }] }],
    });
  });

  it('marks only the prefix of a single request', () => {
    expect(place({ messages: [system, user(LONG)] })).toEqual({
      messages: [{ role: 'system', content: marked(LONG) }, user(LONG)],
    });
    const forced = { messages: [system, user('Hi')], tools: TOOLS, tool_choice: 'required' };
    expect(place(forced)).toMatchObject({ messages: [{ content: marked(LONG) }, user('Hi')] });
  });

  it('marks the first message of a request with a key', () => {
    expect(place({ messages: [user(LONG)], prompt_cache_key: 'k' })).toMatchObject({
      messages: [user(marked(LONG))],
    });
  });

  it.each<[string, JsonObject, string?]>([
    ['a single question', { messages: [user(LONG)] }],
    ['the start of an answer', { messages: [user(LONG), { role: 'assistant', content: '{' }] }],
    ['a short request', { messages: [user('Hi')], tools: TOOLS, prompt_cache_key: 'k' }],
    ["the caller's own breakpoints", { messages: [system, user(marked('Hi'))] }],
    ['a choice of the caller', { messages: [system, user('Hi')], prompt_cache_options: {} }],
    ['another model', { messages: [system, user('Hi')] }, 'openai/gpt-5.4'],
    ['messages that are no list', { messages: LONG, prompt_cache_key: 'k' }],
    ['messages without content', { messages: [user(''), call, user([])], x: LONG }],
  ])('changes nothing for %s', (_, body, model) => {
    expect(place(body, model)).toBeNull();
  });
});
