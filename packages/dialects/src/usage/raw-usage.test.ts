import { isTruncatedUsage, MAX_RAW_USAGE_LENGTH } from '@tollgate/core/money/rates/raw-usage';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { writeRawUsage } from './raw-usage.ts';
import { readUsage } from './read-usage.ts';

const SECRET = 'zq9-opaque.provider.credential';
const write = (raw: Parameters<typeof writeRawUsage>[0]) =>
  writeRawUsage(raw, (text) => text.replaceAll(SECRET, '[redacted]'));

describe('writeRawUsage', () => {
  it('writes the object as compact JSON', () => {
    expect(write({ prompt_tokens: 1, details: { cached: null } })).toBe(
      '{"prompt_tokens":1,"details":{"cached":null}}',
    );
  });

  it('leaves large members out of objects above 8 KiB, and marks them as truncated', () => {
    const written = write({ prompt_tokens: 1, trace: Array.from({ length: 5_000 }, () => 1) });
    expect(written).toBe('{"prompt_tokens":1}… (truncated)');
    expect(isTruncatedUsage(written)).toBe(true);
  });

  it('truncates objects that are still too large', () => {
    const many = Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`member${index}`, index]));
    const written = write(many);
    expect(written).toHaveLength(MAX_RAW_USAGE_LENGTH);
    expect(written).toMatch(/^\{"member0":0,/);
    expect(isTruncatedUsage(written)).toBe(true);
  });

  it('keeps counts, amounts and names', () => {
    const usage = {
      prompt_tokens: '10',
      cost: '4.2e-3',
      is_byok: false,
      service_tier: 'default',
      cache_creation: { ephemeral_1h_input_tokens: 3 },
      iterations: [{ type: 'compaction', model: 'claude-haiku-4-5', input_tokens: 1 }],
      promptTokensDetails: [{ modality: 'TEXT', tokenCount: 8 }],
    };
    expect(write(usage)).toBe(JSON.stringify(usage));
  });

  it('keeps no error, no sentence and no credential', () => {
    const sentence = 'The prompt about lighthouses was expensive';
    const usage = {
      prompt_tokens: 1,
      error: { code: 'quota', message: sentence },
      details: { note: sentence, key: SECRET, list: [sentence, SECRET, 2], errors: [sentence] },
      [sentence]: 1,
      [SECRET]: 1,
      nul: '\u0000\ud800',
    };
    expect(JSON.parse(write(usage))).toEqual({
      prompt_tokens: 1,
      error: '…',
      details: { note: '…', key: '[redacted]', list: ['…', '[redacted]', 2], errors: '…' },
      nul: '…',
    });
  });

  it('bounds the depth', () => {
    let nested: object = { count: 1 };
    for (let depth = 0; depth < 5_000; depth++) nested = { nested };
    expect(write({ prompt_tokens: 1, nested }).length).toBeLessThan(200);
  });

  it('decodes to the usage that was billed', () => {
    const texts = fc.oneof(
      fc.string(),
      fc.constantFrom('12', ' 7 ', '3.0', '1.5', 'fallback_message', 'message'),
    );
    const values = fc.oneof(fc.nat(1_000), texts, fc.constant(null), fc.boolean());
    const names = fc.constantFrom(
      'prompt_tokens',
      'input_tokens',
      'output_tokens',
      'completion_tokens',
      'total_tokens',
      'cached_tokens',
      'reasoning_tokens',
      'cache_read_input_tokens',
      'web_search_requests',
      'type',
      'error',
      'x y',
    );
    const inner = fc.dictionary(names, values);
    const nested = fc.record(
      {
        prompt_tokens_details: inner,
        completion_tokens_details: fc.oneof(inner, texts),
        server_tool_use: inner,
        iterations: fc.array(fc.oneof(inner, fc.record({ type: texts, model: texts }), texts)),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(inner, nested, (flat, deep) => {
        const raw = { ...flat, ...deep };
        expect(readUsage(JSON.parse(write(raw))).usage).toEqual(readUsage(raw).usage);
      }),
    );
  });
});
