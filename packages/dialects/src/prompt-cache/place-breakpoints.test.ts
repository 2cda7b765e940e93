import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../json/parse-object.ts';
import { placeBreakpoints, type ReuseSigns } from './place-breakpoints.ts';

const NO_SIGNS: ReuseSigns = { minTokens: 1_000, hasKey: false, isAgent: false };
const MARK = { cache_control: { type: 'ephemeral' } };
const LONG = 'word '.repeat(1_000);

const tool = (name: string, description: string) => ({
  name,
  description,
  input_schema: { type: 'object', properties: {} },
});
const text = (value: string) => ({ type: 'text', text: value });
const user = (...content: JsonObject[]) => ({ role: 'user', content });
const assistant = (...content: JsonObject[]) => ({ role: 'assistant', content });
const call = (id: string) => ({ type: 'tool_use', id, name: 'read', input: {} });
const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: [text('x')] });

/** Where the marks of a body are, such as `messages.2.content.0`. */
function listMarks(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = 'cache_control' in value ? [path] : [];
  const inner = Object.entries(value).filter(([name]) => name !== 'cache_control');
  return [
    ...own,
    ...inner.flatMap(([name, member]) => listMarks(member, path === '' ? name : `${path}.${name}`)),
  ];
}

function place(body: JsonObject, signs: Partial<ReuseSigns> = {}): string[] {
  const copy = structuredClone(body);
  placeBreakpoints(copy, { ...NO_SIGNS, ...signs });
  return listMarks(copy);
}

describe('placeBreakpoints', () => {
  const conversation = {
    tools: [tool('read', LONG), tool('write', 'Writes.')],
    system: [text('You are an agent.'), text(LONG)],
    messages: [
      user(text('Fix it')),
      assistant(text('Reading'), call('a'), call('b')),
      user(result('a'), result('b')),
      assistant(call('c')),
      user(result('c'), text('Go on')),
    ],
  };

  it('marks the tools, the system prompt and the last two turns of the user', () => {
    expect(place(conversation)).toEqual([
      'tools.1',
      'system.1',
      'messages.2.content.1',
      'messages.4.content.1',
    ]);
  });

  it('writes the default lifetime', () => {
    const body = structuredClone(conversation);
    placeBreakpoints(body, NO_SIGNS);
    expect(body.tools[1]).toEqual({ ...tool('write', 'Writes.'), ...MARK });
  });

  it.each<[string, JsonObject]>([
    ['at the body', { ...conversation, ...MARK }],
    ['at a tool', { ...conversation, tools: [{ ...tool('read', LONG), ...MARK }] }],
    ['in the system prompt', { ...conversation, system: [{ ...text(LONG), ...MARK }] }],
    ['in a turn', { ...conversation, messages: [user({ ...text(LONG), ...MARK })] }],
    [
      'in the result of a tool',
      { ...conversation, messages: [user({ ...result('a'), content: [{ ...text('x'), ...MARK }] })] },
    ],
  ])('adds none to those of the caller %s', (_where, body) => {
    expect(place(body)).toEqual(listMarks(body));
  });

  it('marks nothing in a single request without a long prefix', () => {
    expect(place({ system: [text('Translate.')], messages: [user(text(LONG))] })).toEqual([]);
  });

  it('marks only the prefix of a single request without tools', () => {
    expect(place({ system: [text(LONG)], messages: [user(text(LONG))] })).toEqual(['system.0']);
  });

  it('marks the first turn of a tool loop', () => {
    expect(place({ tools: [tool('read', LONG)], messages: [user(text('Fix it'))] })).toEqual([
      'tools.0',
      'messages.0.content.0',
    ]);
  });

  it('marks only the tools if one of them is forced: its call is the answer', () => {
    const body = {
      tools: [tool('answer', LONG)],
      tool_choice: { type: 'tool', name: 'answer' },
      messages: [user(text('Extract'))],
    };
    expect(place(body)).toEqual(['tools.0']);
  });

  it.each([{ hasKey: true }, { isAgent: true }])('marks the first turn of a request with %o', (signs) => {
    expect(place({ messages: [user(text(LONG))] }, signs)).toEqual(['messages.0.content.0']);
  });

  it('marks no prefix below the shortest that can be cached', () => {
    const short = { ...conversation, tools: [tool('read', 'Reads.')], system: [text('Be brief.')] };
    expect(place(short)).toEqual([]);
    const signs = { hasKey: true, isAgent: true };
    expect(place(short, signs)).toEqual([]);
    expect(place({ ...short, system: [text(LONG)] }, signs)[0]).toBe('system.0');
  });

  it('marks a system message after a turn of the user in its place', () => {
    const reminder = { role: 'system', content: [text('Be careful.')] };
    const messages = [user(text(LONG)), reminder, assistant(text('Hi')), user(text('Go on')), reminder];
    expect(place({ messages })).toEqual(['messages.1.content.0', 'messages.4.content.0']);
  });

  it('takes the start of an answer for no history', () => {
    expect(place({ messages: [user(text(LONG)), assistant(text('{'))] })).toEqual([]);
  });

  it('marks the turn of the user before the start of an answer', () => {
    const messages = [user(text(LONG)), assistant(text('Hi')), user(text('JSON')), assistant(text('{'))];
    expect(place({ messages })).toEqual(['messages.0.content.0', 'messages.2.content.0']);
  });
});
