import { findModelRules } from '@tollgate/dialects/model-rules/find-model-rules';
import { describe, expect, it } from 'vitest';
import { listOffers, MODEL_CATALOGUE } from './model-catalogue.ts';

describe('model catalogue', () => {
  it.each([
    ['Codex', ['gpt-6.1-sol', 'gpt-6.1-terra', 'gpt-6-astra', 'gpt-6-sol', 'gpt-6-luna', 'gpt-5.5']],
    [
      'Claude Code',
      ['claude-opus-5-5', 'claude-sonnet-5-5', 'claude-haiku-5-5', 'claude-haiku-4-5', 'claude-fable-5-2'],
    ],
    ['openai-agents', ['gpt-5.6-luna']],
    ['agno', ['gpt-5.4-mini', 'claude-sonnet-5-5', 'gemini-3.7-flash']],
  ])('has the models that %s requests by default', (_client, ids) => {
    expect(ids.filter((id) => listOffers(id).length === 0)).toEqual([]);
  });

  it('has the output maximum of each known family', () => {
    const differing = MODEL_CATALOGUE.filter(({ preset, id, upstreamModel, facts: { maxOutputTokens } }) => {
      const rules = ['openai', 'anthropic'].includes(preset) ? findModelRules(upstreamModel ?? id) : null;
      const most = rules?.maxOutputTokens ?? null;
      return most !== null && most !== maxOutputTokens;
    });
    expect(differing.map(({ id }) => id)).toEqual([]);
  });

  it('says of each known family whether it reasons', () => {
    const differing = MODEL_CATALOGUE.filter(({ preset, id, facts }) => {
      const rules = preset === 'openai' ? findModelRules(id) : null;
      return rules?.maker === 'openai' && rules.reasons !== facts.capabilities.includes('reasoning');
    });
    expect(differing.map(({ id }) => id)).toEqual([]);
  });
});
