import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import { getCodec } from '../codec.ts';
import { parseJsonObject, type JsonObject } from '../json/parse-object.ts';
import { parseOpenAiChatRequest } from '../openai-chat/parse-request.ts';
import { NO_QUIRKS } from '../openai-chat/quirks/provider-quirks.ts';
import { parseOpenAiResponsesRequest } from '../openai-responses/parse-request.ts';
import { boundInputTokens } from './bound-input-tokens.ts';
import { estimateInputTokens } from './estimate-input-tokens.ts';
import { sizeInputTokens } from './size-input-tokens.ts';

const COUNT = 300;
/** The tokenizer is loaded for the first count. */
const LOAD_MS = 60_000;
const list = (type: string) => Array.from({ length: COUNT }, (_, index) => ({ type, name: `a${index}` }));
const custom = list('custom');
const namespace = (tools: object[]) => ({ type: 'namespace', name: 'n'.repeat(60), tools });
const asked = (more: object) => ({ model: 'm', input: [{ role: 'user', content: 'Hi' }], ...more });
const item = (type: string, more: object) =>
  asked({
    input: [
      { role: 'user', content: 'Hi' },
      { type, ...more },
    ],
  });
const chat = {
  model: 'm',
  messages: [{ role: 'user', content: 'Hi' }],
  tools: custom.map(({ name }) => ({ type: 'custom', custom: { name } })),
};

const CASES = [
  ['custom tools', 'openai-responses', asked({ tools: custom })],
  ['custom tools of a namespace', 'openai-responses', asked({ tools: [namespace(custom)] })],
  ['functions of a namespace', 'openai-responses', asked({ tools: [namespace(list('function'))] })],
  ['tools of an item', 'openai-responses', item('additional_tools', { role: 'developer', tools: custom })],
  [
    'tools that a search found',
    'openai-responses',
    item('tool_search_output', { call_id: 'c', execution: 'client', tools: [namespace(custom)] }),
  ],
  ['custom tools of a chat', 'openai-chat', chat],
  [
    'results of a shell that say nothing',
    'openai-responses',
    item('shell_call_output', { call_id: 'c', output: Array.from({ length: 10 * COUNT }, () => 0) }),
  ],
] as const;
const TARGETS = ['openai-chat', 'anthropic-messages'] as const;

const routes = CASES.flatMap(([name, from, body]) =>
  TARGETS.filter((target) => target !== from).map((target) => ({ name, from, body, target })),
);

describe.each(routes)('$name that a translation writes for $target', ({ from, body, target }) => {
  const asJson = Buffer.from(JSON.stringify(body));
  const canonical = decode(from, body);
  const encoded = getCodec(target).encodeRequest(canonical, { quirks: NO_QUIRKS, defaultMaxTokens: 16 });
  if (!encoded.ok) throw new Error(encoded.error.message);
  const sent = decode(target, encoded.body);

  it('are covered by the bound of input tokens', () => {
    const parsed = (from === 'openai-chat' ? parseOpenAiChatRequest : parseOpenAiResponsesRequest)(
      asJson.toString(),
    );
    if (!parsed.ok) throw new Error(parsed.error.message);
    const { value: request } = parsed;
    const bound = boundInputTokens({ bodyBytes: asJson.length, request, contextTokens: null });
    expect(bound).toBeGreaterThan(Buffer.byteLength(JSON.stringify(encoded.body)));
  });

  it(
    'are counted as they are sent',
    async () => {
      expect(sizeInputTokens(canonical)).toBeGreaterThanOrEqual(sizeInputTokens(sent));
      const before = await estimateInputTokens(canonical, 'claude-sonnet-4-5');
      const after = await estimateInputTokens(sent, 'claude-sonnet-4-5');
      expect(before.atMost).toBeGreaterThanOrEqual(after.tokens);
    },
    LOAD_MS,
  );
});

function decode(dialect: (typeof TARGETS)[number] | 'openai-responses', body: object) {
  const object: JsonObject = parseJsonObject(JSON.stringify(body)) ?? {};
  const decoded = getCodec(dialect).decodeRequest(object);
  if (!decoded.ok) throw new Error(decoded.error.message);
  return decoded.value;
}
