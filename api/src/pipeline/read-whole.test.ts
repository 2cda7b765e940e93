import { Buffer } from 'node:buffer';
import { createRedactor } from '@tollgate/upstreams/credential/redact-secrets';
import { expect, it } from 'vitest';
import { openItemId } from '@tollgate/dialects/openai-responses/carried/item-id';
import { messagesEndpoint, responsesEndpoint } from '../endpoints.ts';
import { readWhole } from './read-whole.ts';
import { UNREADABLE_ANSWER } from './upstream-failure.ts';

const SECRET = 'zq9-opaque.provider.credential';
const options = {
  spec: messagesEndpoint,
  inputTokens: 1,
  estimateInput: () => 1,
  redact: createRedactor([SECRET], []),
  translation: null,
};

/** @param error members of a failed search, as JSON */
const answer = (error: string, words: string) =>
  Buffer.from(`{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[
    {"type":"web_search_tool_result","tool_use_id":"s","content":{"type":"web_search_tool_result_error",${error}}},
    {"type":"text","text":${JSON.stringify(words)}},
    {"type":"tool_use","id":"t","name":"pay","input":{"order":12345678901234567890,"rate":1.0}}
  ],"stop_reason":"tool_use","usage":{"input_tokens":1,"output_tokens":1}}`);

const getText = (bytes: Buffer) => {
  const read = readWhole(bytes, options);
  if (!read.ok) throw new Error(read.error.message);
  return read.value.text;
};

/** Of both, redaction would change the whole text: the end of one, the address in the other. */
it.each([
  ['long', 'A long text. '.repeat(2_000)],
  ['short', 'Write to ada@example.com.'],
])('a %s response with an error of a tool keeps its bytes', (_name, words) => {
  expect(getText(answer('"error_code":"max_uses_exceeded"', words))).toBeNull();
});

it('a byte order mark is no part of a response', () => {
  const bytes = answer('"error_code":"max_uses_exceeded"', 'Short.');
  expect(getText(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]))).toBeNull();
});

it('an error with a secret in the first of two members of one name is written again', () => {
  const written = getText(answer(`"error_code":"${SECRET}","error_code":"unavailable"`, 'Short.'));
  expect(written).toContain('"error_code":"unavailable"');
  expect(written).not.toContain(SECRET);
});

it('the id of an item carries no secret of an error', () => {
  const message = `401 for key ${SECRET}`;
  const item = { id: 'mcp_1', type: 'mcp_call', status: 'failed', error: { type: 'http_error', message } };
  const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
  const response = { id: 'r', object: 'response', model: 'm', status: 'completed', output: [item], usage };
  const read = readWhole(Buffer.from(JSON.stringify(response)), {
    ...options,
    spec: responsesEndpoint,
    carriesItems: true,
  });
  const [written] = read.ok ? JSON.parse(read.value.text ?? '').output : [];
  const shown = { ...item.error, message: '401 for key [redacted]' };
  expect(written.error).toEqual(shown);
  expect(openItemId(written.id)?.items).toMatchObject([{ json: JSON.stringify({ ...item, error: shown }) }]);
});

it('a translated response whose calls have too many values in their arguments is unreadable', () => {
  const read = (count: number) => {
    const call = { name: 'f', arguments: JSON.stringify({ list: Array(count).fill(1) }) };
    const message = {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c', type: 'function', function: call }],
    };
    const body = { id: 'chatcmpl-1', object: 'chat.completion', created: 1, model: 'm' };
    const bytes = Buffer.from(
      JSON.stringify({ ...body, choices: [{ index: 0, message, finish_reason: 'tool_calls' }] }),
    );
    const translation = {
      from: 'openai-chat',
      stopSequences: [],
      requestId: 'req_1',
      model: 'm',
      nowSeconds: 1,
    } as const;
    return readWhole(bytes, { ...options, translation });
  };
  expect(read(90_000)).toMatchObject({ ok: true });
  expect(read(110_000)).toEqual({ ok: false, error: UNREADABLE_ANSWER });
});
