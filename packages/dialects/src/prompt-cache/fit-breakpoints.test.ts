import { describe, expect, it } from 'vitest';
import { getCodec } from '../codec.ts';
import type { JsonObject } from '../json/parse-object.ts';
import { NO_QUIRKS } from '../openai-chat/quirks/provider-quirks.ts';

function encode(from: 'openai-chat' | 'openai-responses' | 'anthropic-messages', body: JsonObject) {
  const decoded = getCodec(from).decodeRequest({ model: 'm', ...body });
  if (!decoded.ok) throw new Error(decoded.error.message);
  const request = { ...decoded.value, model: 'claude-opus-4-8' };
  const encoded = getCodec('anthropic-messages').encodeRequest(request, {
    quirks: NO_QUIRKS,
    defaultMaxTokens: 16,
  });
  if (!encoded.ok) throw new Error(encoded.error.message);
  return encoded;
}

/** The texts before the marks of a body, with the lifetimes of the marks. */
function listMarks(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(listMarks);
  if (typeof value !== 'object' || value === null) return [];
  const { cache_control: control, ...rest } = value as JsonObject;
  const inner = Object.values(rest).flatMap(listMarks);
  if (control === undefined) return inner;
  const { text, name, tool_use_id: id } = rest;
  const isLong = JSON.stringify(control).includes('1h');
  return [...inner, `${String(text ?? name ?? id)} ${isLong ? '1h' : '5m'}`];
}

const mark = (ttl?: string) => ({
  prompt_cache_breakpoint: { mode: 'explicit', ...(ttl === undefined ? {} : { ttl }) },
});
const turn = (at: number, ttl?: string) => ({
  type: 'message',
  role: at % 2 === 0 ? 'user' : 'assistant',
  content: [{ type: at % 2 === 0 ? 'input_text' : 'output_text', text: `t${at}`, ...mark(ttl) }],
});

describe('breakpoints of a request in the dialects of OpenAI', () => {
  it('are the last four at most', () => {
    const { body, dropped } = encode('openai-responses', {
      input: [0, 1, 2, 3, 4, 5, 6].map((at) => turn(at)),
    });
    expect(listMarks(body)).toEqual(['t3 5m', 't4 5m', 't5 5m', 't6 5m']);
    expect(dropped).toContain('cache_control');
  });

  it('are the last three with automatic caching', () => {
    const input = [0, 1, 2, 3, 4].map((at) => turn(at));
    const { body } = encode('openai-responses', { input, cache_control: { type: 'ephemeral' } });
    const { cache_control: automatic, ...rest } = body;
    expect(automatic).toEqual({ type: 'ephemeral' });
    expect(listMarks(rest)).toEqual(['t2 5m', 't3 5m', 't4 5m']);
  });

  it('include those of tools and results', () => {
    const { body } = encode('openai-chat', {
      tools: [
        {
          type: 'function',
          function: { name: 'f', parameters: { type: 'object' } },
          cache_control: { type: 'ephemeral' },
        },
      ],
      messages: [
        { role: 'system', content: [{ type: 'text', text: 's', ...mark() }] },
        { role: 'user', content: [{ type: 'text', text: 'u', ...mark() }] },
        {
          role: 'assistant',
          tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
        },
        {
          role: 'tool',
          tool_call_id: 'c',
          content: [{ type: 'text', text: 'r', ...mark() }],
          cache_control: { type: 'ephemeral' },
        },
      ],
    });
    expect(listMarks(body)).toEqual(['s 5m', 'u 5m', 'r 5m', 'c 5m']);
  });

  it('have no longer lifetime after a shorter one', () => {
    const input = [turn(0, '12h'), turn(1), turn(2, '12h')];
    const { body, dropped } = encode('openai-responses', { input });
    expect(listMarks(body)).toEqual(['t0 1h', 't1 5m', 't2 5m']);
    expect(dropped).toContain('cache_control');
  });

  it('stay as they are if the provider accepts them', () => {
    const { body, dropped } = encode('openai-responses', { input: [turn(0, '12h'), turn(1), turn(2)] });
    expect(listMarks(body)).toEqual(['t0 1h', 't1 5m', 't2 5m']);
    expect(dropped).toEqual([]);
  });
});
