import type { Message, Reasoning } from '@tollgate/core/completion/request';
import { describe, expect, it } from 'vitest';
import { encodeReasoning } from './encode-reasoning.ts';
import { EncodeReport } from '../encode-report.ts';
import { OLDEST_CLAUDE } from '../model-rules/claude-families.ts';
import { findClaudeRules } from '../model-rules/find-model-rules.ts';

const BUDGETED = 'claude-haiku-4-5-20251001';
const BOTH = 'claude-sonnet-4-6';
const ADAPTIVE = 'claude-opus-4-8';

interface Rest {
  maxTokens?: number;
  messages?: Message[];
  isForced?: boolean;
}

function encode(
  model: string,
  reasoning: Reasoning,
  { maxTokens = 10_000, messages = [], isForced = false }: Rest = {},
) {
  const report = new EncodeReport();
  const toolChoice = isForced ? { type: 'required' as const } : null;
  const encoded = encodeReasoning(
    { reasoning, toolChoice, messages },
    findClaudeRules(model) ?? OLDEST_CLAUDE,
    maxTokens,
    report,
  );
  return { ...encoded, dropped: report.dropped };
}

const effort = (level: 'none' | 'minimal' | 'low' | 'high' | 'xhigh' | 'max'): Reasoning => ({
  type: 'effort',
  effort: level,
});
const LEFT_OUT = { thinking: null, effort: null, dropped: ['reasoning_effort'] };

describe('encodeReasoning', () => {
  it('turns thinking off if the effort is none', () => {
    for (const reasoning of [effort('none'), { type: 'off' as const }])
      expect(encode(BOTH, reasoning)).toMatchObject({ thinking: { type: 'disabled' }, effort: null });
  });

  it.each([
    ['minimal', 1024],
    ['low', 2000],
    ['high', 8000],
    ['max', 9500],
  ] as const)('spends a share of the output on %s effort where the model wants a budget', (level, tokens) => {
    expect(encode(BUDGETED, effort(level)).thinking).toEqual({ type: 'enabled', budget_tokens: tokens });
  });

  it('gives an effort at most 32,000 tokens of reasoning', () => {
    expect(encode(BUDGETED, effort('high'), { maxTokens: 64_000 }).thinking).toMatchObject({
      budget_tokens: 32_000,
    });
  });

  it('passes effort on if the model thinks adaptively, in the levels that it knows', () => {
    expect(encode(BOTH, effort('minimal'))).toMatchObject({ thinking: { type: 'adaptive' }, effort: 'low' });
    expect(encode(BOTH, effort('xhigh')).effort).toBe('high');
    expect(encode(ADAPTIVE, effort('xhigh'))).toMatchObject({
      thinking: { type: 'adaptive', display: 'summarized' },
      effort: 'xhigh',
    });
  });

  it('turns a budget into an effort for a model that takes no budget', () => {
    const of = (tokens: number) => encode(ADAPTIVE, { type: 'budget', tokens }).effort;
    expect([of(1024), of(5000), of(9000)]).toEqual(['low', 'medium', 'high']);
    expect(encode(BOTH, { type: 'budget', tokens: 5000 }).thinking).toEqual({
      type: 'enabled',
      budget_tokens: 5000,
    });
  });

  it('leaves thinking out, and reports it, if the provider would refuse it', () => {
    expect(encode(BUDGETED, effort('high'), { maxTokens: 1000 })).toEqual(LEFT_OUT);
    expect(encode(ADAPTIVE, effort('high'), { isForced: true })).toEqual(LEFT_OUT);
    const call = { type: 'tool_call' as const, id: 'a', name: 'f', arguments: '{}', cache: null };
    const result: Message = { role: 'tool', callId: 'a', content: [], isError: false, cache: null };
    const forgotten: Message[] = [{ role: 'assistant', name: null, content: [call] }, result];
    expect(encode(BUDGETED, effort('high'), { messages: forgotten })).toEqual(LEFT_OUT);
    const signed = { type: 'thinking' as const, text: 'hm', signature: 'SIG' };
    const kept: Message[] = [{ role: 'assistant', name: null, content: [signed, call] }, result];
    expect(encode(BUDGETED, effort('high'), { messages: kept }).thinking).toMatchObject({ type: 'enabled' });
  });
});
