import { threadTimeMs } from '@tollgate/testing/thread-time';
import { describe, expect, it } from 'vitest';
import type { Encoded } from '../encoded.ts';
import { asObject } from '../json/parse-object.ts';
import { FUNCTION, getList, sent, toChat, toMessages } from './encoded-tools.fixture.ts';

const DOCS = { type: 'namespace', name: 'mcp__docs', tools: [{ ...FUNCTION, name: 'find' }] };
/** `String` throws for it. */
const NO_TEXT = { toString: 1, valueOf: 1 };

const chatFunctions = (encoded: Encoded) =>
  getList(sent(encoded).body['tools']).map((tool) => asObject(tool['function']) ?? {});
const getNames = (encoded: Encoded) => chatFunctions(encoded).map(({ name }) => name);

describe('tools of the Responses API at a provider of another dialect', () => {
  it('become functions if the client runs them, and are dropped and listed otherwise', () => {
    const chat = toChat({});
    expect(getNames(chat)).toEqual([
      'read',
      'apply_patch',
      'multi_agent_v1__spawn_agent',
      'tool_search',
      'local_shell',
    ]);
    expect(sent(chat).dropped).toEqual(['tools.web_search']);
    const messages = sent(toMessages({}));
    expect(messages.dropped).toEqual(['tools.web_search']);
    expect(getList(messages.body['tools']).map(({ name }) => name)).toEqual(getNames(chat));
  });

  it('state the grammar of a custom tool in its description', () => {
    const [, patch] = chatFunctions(toChat({}));
    expect(patch).toMatchObject({
      description: expect.stringMatching(/Edits files\.[\s\S]*`input`[\s\S]*Lark grammar:\nstart: "x"/),
      parameters: { required: ['input'], properties: { input: { type: 'string' } } },
    });
  });

  it.each([
    [{ type: 'custom', name: 'apply_patch' }, 'apply_patch'],
    [{ type: 'local_shell' }, 'local_shell'],
    [{ type: 'function', name: 'read' }, 'read'],
  ])('can be forced: %j', (choice, name) => {
    expect(sent(toChat({ tool_choice: choice })).body['tool_choice']).toEqual({
      type: 'function',
      function: { name },
    });
    expect(sent(toMessages({ tool_choice: choice })).body['tool_choice']).toMatchObject({
      type: 'tool',
      name,
    });
  });

  it.each([
    ['tool_choice', { tool_choice: { type: 'web_search' } }],
    ['tool_choice', { tool_choice: { type: 'custom', name: 'missing' } }],
    ['tools', { tools: [{ type: 'web_search' }], tool_choice: 'required' }],
  ])('are refused with %s if the request forces a tool that is dropped', (param, change) => {
    for (const encoded of [toChat(change), toMessages(change)])
      expect(encoded).toMatchObject({ ok: false, error: { code: 'unsupported_parameter', param } });
  });

  it.each([
    ['a type inside a namespace', { tools: [{ ...DOCS, tools: [{ type: NO_TEXT }] }] }],
    ['a type of a later tool', { input: [{ type: 'additional_tools', tools: [{ type: NO_TEXT }] }] }],
    ['the name of a choice', { tool_choice: { type: 'custom', name: NO_TEXT } }],
  ])('are read if %s is an object that cannot become text', (_, change) => {
    for (const encode of [toChat, toMessages]) expect(() => encode(change)).not.toThrow();
  });

  it('are left out with their choice if none is left', () => {
    const { body } = sent(
      toChat({ tools: [{ type: 'web_search' }], tool_choice: 'auto', parallel_tool_calls: false }),
    );
    expect(body).not.toHaveProperty('tools');
    expect(body).not.toHaveProperty('parallel_tool_calls');
    expect(body).not.toHaveProperty('tool_choice');
  });

  it('are also declared by items of the conversation, once each', () => {
    const input = [
      { role: 'user', content: 'Hi' },
      { type: 'additional_tools', role: 'developer', tools: [DOCS, FUNCTION] },
      { type: 'tool_search_call', execution: 'client', call_id: 'c1', arguments: { query: 'docs' } },
      { type: 'tool_search_output', execution: 'client', call_id: 'c1', tools: [DOCS] },
    ];
    const chat = toChat({ input, tools: [FUNCTION] });
    expect(getNames(chat)).toEqual(['read', 'mcp__docs__find']);
    expect(sent(chat).body['messages']).toMatchObject([
      { role: 'user' },
      {
        role: 'assistant',
        tool_calls: [{ function: { name: 'tool_search', arguments: '{"query":"docs"}' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'These tools can be called now: mcp__docs__find' },
    ]);
  });

  it('keep a name that providers take, always the same', () => {
    const long = { type: 'namespace', name: 'mcp__ö server', tools: [{ ...FUNCTION, name: 'x'.repeat(80) }] };
    const [name] = getNames(toChat({ tools: [long] }));
    expect(name).toMatch(/^[\w-]{64}$/);
    expect(getNames(toChat({ tools: [long] }))).toEqual([name]);
    const other = { ...long, tools: [{ ...FUNCTION, name: 'x'.repeat(81) }] };
    expect(new Set(getNames(toChat({ tools: [long, other] }))).size).toBe(2);
  });

  it('of a namespace with a long name are read in little time, each with its own name', () => {
    const tools = Array.from({ length: 1_000 }, (_, index) => ({ type: 'custom', name: `tool${index}` }));
    const namespaces = ['a', 'b'].map((end) => ({
      type: 'namespace',
      name: 'n'.repeat(60_000) + end,
      tools,
    }));
    let names: unknown[] = [];
    expect(threadTimeMs(() => (names = getNames(toChat({ tools: namespaces }))))).toBeLessThan(1_000);
    expect(new Set(names).size).toBe(2_000);
    for (const name of names) expect(name).toMatch(/^[\w-]{64}$/);
  });

  it('of a namespace with a long name are named in their calls as they are declared', () => {
    const namespace = `${'n'.repeat(70)} ö`;
    const tools = [{ type: 'namespace', name: namespace, tools: [{ ...FUNCTION, name: 'find' }] }];
    const call = { type: 'function_call', call_id: 'c1', namespace, name: 'find', arguments: '{}' };
    const result = { type: 'function_call_output', call_id: 'c1', output: 'Done' };
    const chat = toChat({ tools, input: [{ role: 'user', content: 'Hi' }, call, result] });
    const [name] = getNames(chat);
    expect(sent(chat).body['messages']).toMatchObject([
      { role: 'user' },
      { role: 'assistant', tool_calls: [{ function: { name } }] },
      { role: 'tool' },
    ]);
  });
});
