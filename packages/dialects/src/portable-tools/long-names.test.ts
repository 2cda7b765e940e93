import type { Dialect } from '@tollgate/core/models/dialect';
import { describe, expect, it } from 'vitest';
import { getCodec } from '../codec.ts';
import { asObject, type JsonObject } from '../json/parse-object.ts';
import { NO_QUIRKS } from '../openai-chat/quirks/provider-quirks.ts';

const PREFIX = 'mcp__plugin_oh-my-claudecode_omc-tools__lsp_diagnostics_of_directory_';
const LONG = `${PREFIX}first`;
const OTHER = `${PREFIX}second`;
const SCHEMA = { type: 'object', properties: {} };

/** A conversation whose model has called a tool with a long name. */
const BODIES: Readonly<Record<'anthropic-messages' | 'openai-responses', JsonObject>> = {
  'anthropic-messages': {
    model: 'm',
    max_tokens: 10,
    tools: [LONG, OTHER, 'Read'].map((name) => ({ name, input_schema: SCHEMA })),
    tool_choice: { type: 'tool', name: LONG },
    messages: [
      { role: 'user', content: 'Hi' },
      {
        role: 'assistant',
        content: [
          { type: 'tool_use', id: 'toolu_1', name: OTHER, input: {} },
          { type: 'tool_use', id: 'toolu_2', name: 'ToolSearch', input: {} },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'toolu_1', content: 'x' },
          {
            type: 'tool_result',
            tool_use_id: 'toolu_2',
            content: [{ type: 'tool_reference', tool_name: LONG }],
          },
        ],
      },
    ],
  },
  'openai-responses': {
    model: 'm',
    tools: [OTHER, 'Read'].map((name) => ({ type: 'function', name, parameters: SCHEMA })),
    tool_choice: { type: 'function', name: LONG },
    input: [
      { type: 'additional_tools', tools: [{ type: 'function', name: LONG, parameters: SCHEMA }] },
      { role: 'user', content: 'Hi' },
      { type: 'function_call', call_id: 'call_1', name: OTHER, arguments: '{}' },
      { type: 'function_call_output', call_id: 'call_1', output: 'x' },
    ],
  },
};

function sent(from: keyof typeof BODIES, to: Dialect): JsonObject {
  const decoded = getCodec(from).decodeRequest(BODIES[from]);
  if (!decoded.ok) throw new Error(decoded.error.message);
  const encoded = getCodec(to).encodeRequest(decoded.value, { quirks: NO_QUIRKS, defaultMaxTokens: 10 });
  if (!encoded.ok) throw new Error(encoded.error.message);
  return encoded.body;
}

const namesIn = (value: unknown): string[] =>
  [...JSON.stringify(value).matchAll(/"name":"([^"]*)"/g)].map(([, name = '']) => name);

describe.each(['anthropic-messages', 'openai-responses'] as const)(
  'a long name of a function in %s',
  (from) => {
    const body = sent(from, 'openai-chat');
    const forced = String(asObject(asObject(body['tool_choice'])?.['function'])?.['name']);

    it('is shortened for chat completions, the same way everywhere', () => {
      const names = new Set(namesIn(body));
      for (const name of names) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
      const declared = new Set(namesIn(body['tools']));
      expect(declared).toHaveLength(3);
      expect(declared).toContain('Read');
      expect(declared).toContain(forced);
      expect(namesIn(body['messages']).filter((name) => name !== 'ToolSearch')).toEqual([
        [...declared].find((name) => name !== 'Read' && name !== forced),
      ]);
      if (from === 'anthropic-messages')
        expect(JSON.stringify(body['messages'])).toContain(`The tool ${forced} can be called now.`);
    });

    it('stays for a dialect that takes it', () => {
      const other = from === 'openai-responses' ? 'anthropic-messages' : 'openai-responses';
      expect(namesIn(sent(from, other)['tools'])).toEqual(expect.arrayContaining([LONG, OTHER, 'Read']));
    });

    it('is in the response', () => {
      const context = { requestId: 'req_1', model: 'm', nowSeconds: 1, requestBody: BODIES[from] };
      const call = { id: 'call_1', type: 'function', function: { name: forced, arguments: '{"a":1}' } };
      const read = { id: 'call_2', type: 'function', function: { name: 'Read', arguments: '{}' } };
      const response = getCodec('openai-chat').decodeResponse({
        id: 'c',
        object: 'chat.completion',
        choices: [
          { index: 0, message: { role: 'assistant', tool_calls: [call, read] }, finish_reason: 'tool_calls' },
        ],
      });
      if (response === null) throw new Error('This is no response.');
      expect(namesIn(getCodec(from).encodeResponse(response, context)[getOutput(from)])).toEqual([
        LONG,
        'Read',
      ]);
      const encoder = getCodec(from).createStreamEncoder({
        ...context,
        estimatedInputTokens: null,
        wantsStreamUsage: true,
      });
      const start = { type: 'tool_call', id: 'call_1', name: forced } as const;
      const written = [
        encoder.push({ type: 'block_start', choice: 0, block: 0, start }),
        encoder.push({ type: 'arguments_delta', choice: 0, block: 0, json: '{"a":1}' }),
        encoder.push({ type: 'block_end', choice: 0, block: 0 }),
      ].join('');
      expect(written).toContain(`"name":"${LONG}"`);
      expect(written).not.toContain(forced);
    });
  },
);

const getOutput = (dialect: keyof typeof BODIES) => (dialect === 'anthropic-messages' ? 'content' : 'output');
