import { NO_USAGE } from '@tollgate/core/money/money';
import { describe, expect, it } from 'vitest';
import { decodeAnthropicUsage } from '../anthropic-messages/decode-usage.ts';
import { decodeStoredUsage } from './decode-stored-usage.ts';
import { writeRawUsage } from './raw-usage.ts';

describe('decodeStoredUsage', () => {
  it('reads usage that a stream reported in two events as it was billed', () => {
    const input = { input_tokens: 9, cache_read_input_tokens: 4, output_tokens: 1 };
    const start = decodeAnthropicUsage({ type: 'message_start', message: { usage: input } });
    const output = { output_tokens: 30, server_tool_use: { web_search_requests: 2 } };
    const end = decodeAnthropicUsage({ type: 'message_delta', usage: output }, start);
    const rawUsage = writeRawUsage(end?.raw ?? {}, String);
    expect(decodeStoredUsage({ endpoint: '/v1/messages', rawUsage })).toEqual(end?.usage);
    expect(end?.usage).toEqual({
      ...NO_USAGE,
      inputTokens: 9,
      cacheReadTokens: 4,
      outputTokens: 30,
      extras: { toolCalls: { web_search: 2 } },
    });
  });

  it('reads the total of embeddings as input, and counting tokens as free', () => {
    const rawUsage = '{"total_tokens":8}';
    expect(decodeStoredUsage({ endpoint: '/v1/embeddings', rawUsage })).toEqual({
      ...NO_USAGE,
      inputTokens: 8,
    });
    expect(decodeStoredUsage({ endpoint: '/v1/messages/count_tokens', rawUsage })).toEqual(NO_USAGE);
  });

  it('reads nothing that is no object', () => {
    for (const rawUsage of ['', '[]', '7', '{"prompt_tokens":1'])
      expect(decodeStoredUsage({ endpoint: '/v1/messages', rawUsage })).toBeNull();
  });
});
