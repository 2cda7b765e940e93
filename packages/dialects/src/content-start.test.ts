import { describe, expect, it } from 'vitest';
import { hasContent } from './content-start.ts';

describe('hasContent', () => {
  it.each([
    ['openai-chat', 'data: {"choices":[{"delta":{"content":"Hi"}}]}'],
    ['openai-chat', 'data: {"choices":[{"delta":{"reasoning_content":"So"}}]}'],
    ['openai-chat', 'data: {"choices":[{"delta":{"tool_calls":[{"index":0}]}}]}'],
    ['anthropic-messages', '{"type":"content_block_delta","delta":{"type":"text_delta","text":"Hi"}}'],
    ['anthropic-messages', '{"type":"content_block_start","content_block":{"type":"tool_use"}}'],
    ['openai-responses', '{"type":"response.output_text.delta","delta":"Hi"}'],
    ['openai-responses', '{"type":"response.output_item.added","item":{"type":"function_call"}}'],
  ] as const)('finds the content of %s: %s', (dialect, events) => {
    expect(hasContent(dialect, events)).toBe(true);
  });

  it.each([
    ['openai-chat', ': OPENROUTER PROCESSING'],
    ['openai-chat', 'data: {"choices":[{"delta":{"role":"assistant","content":"","refusal":null}}]}'],
    ['anthropic-messages', '{"type":"message_start","message":{"type":"message","content":[]}}'],
    ['anthropic-messages', '{"type":"content_block_start","content_block":{"type":"text","text":""}}'],
    ['anthropic-messages', '{"type":"ping"}'],
    ['openai-responses', '{"type":"response.created","response":{"tools":[{"type":"function"}]}}'],
    ['openai-responses', '{"type":"response.in_progress"}'],
  ] as const)('finds none in the opening of %s: %s', (dialect, events) => {
    expect(hasContent(dialect, events)).toBe(false);
  });
});
