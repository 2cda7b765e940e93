import { describe, expect, it } from 'vitest';
import { CLAUDE_FAMILIES } from './claude-families.ts';
import { findModelRules } from './find-model-rules.ts';
import { OPENAI_FAMILIES } from './openai-families.ts';

/** A name of each family, and others that are easy to mistake. */
const NAMES: readonly (readonly [string, string])[] = [
  ['gpt-5.6-sol', 'GPT-5.6, GPT-6 Sol and Luna, GPT-6.1 Terra'],
  ['gpt-6-luna', 'GPT-5.6, GPT-6 Sol and Luna, GPT-6.1 Terra'],
  ['gpt-6.1-terra', 'GPT-5.6, GPT-6 Sol and Luna, GPT-6.1 Terra'],
  ['gpt-6.1-sol', 'GPT-6 Astra, GPT-6.1 Sol, GPT-6.2'],
  ['gpt-6.2-astra', 'GPT-6 Astra, GPT-6.1 Sol, GPT-6.2'],
  ['openai/gpt-5.5-2026-04-23', 'GPT-5.5'],
  ['gpt-5.4-mini', 'GPT-5.4'],
  ['gpt-5.2', 'GPT-5.2 and 5.3'],
  ['gpt-5.1', 'GPT-5.1'],
  ['gpt-5-mini-2025-08-07', 'GPT-5'],
  ['gpt-5-chat-latest', 'GPT-5 Chat'],
  ['gpt-5.2-chat-latest', 'GPT-5.1 Chat and later'],
  ['gpt-5.3-codex', 'Codex since GPT-5.3, GPT pro'],
  ['gpt-5.2-codex', 'Codex up to GPT-5.2, o-series pro and deep research'],
  ['gpt-5-codex', 'Codex up to GPT-5.2, o-series pro and deep research'],
  ['gpt-5.2-pro', 'Codex since GPT-5.3, GPT pro'],
  ['codex-mini-latest', 'Codex up to GPT-5.2, o-series pro and deep research'],
  ['o3-pro', 'Codex up to GPT-5.2, o-series pro and deep research'],
  ['o4-mini-deep-research-2025-06-26', 'Codex up to GPT-5.2, o-series pro and deep research'],
  ['gpt-7', 'later GPT models'],
  ['gpt-5.10', 'later GPT models'],
  ['o4-mini', 'o-series'],
  ['o1-preview', 'o1-mini, o1-preview'],
  ['ft:gpt-4o-mini-2024-07-18:acme:gpt-5:id', 'GPT-4o'],
  ['gpt-4.1-nano', 'GPT-4.1'],
  ['gpt-4-turbo', 'GPT-4 Turbo, GPT-3.5 Turbo'],
  ['gpt-4-0613', 'GPT-4'],
  ['gpt-35-turbo', 'GPT-4 Turbo, GPT-3.5 Turbo'],
  ['gpt-3.5-turbo-0125', 'GPT-4 Turbo, GPT-3.5 Turbo'],
  ['openai.gpt-oss-120b-1:0', 'gpt-oss'],
  ['accounts/fireworks/models/gpt-oss-120b', 'gpt-oss'],
  ['computer-use-preview', 'computer-use'],
  ['claude-sonnet-5-5', 'Claude Sonnet 5.5'],
  ['us.anthropic.claude-opus-5-5', 'Claude Opus 5.5, Fable and Mythos 5.1 and 5.2'],
  ['claude-fable-5-2', 'Claude Opus 5.5, Fable and Mythos 5.1 and 5.2'],
  ['claude-fable-5-20260601', 'Claude Fable and Mythos 5'],
  ['claude-haiku-5-5', 'Claude Opus 5, Haiku 5.5'],
  ['claude-opus-5-20260724', 'Claude Opus 5, Haiku 5.5'],
  ['claude-opus-4-8@20260528', 'Claude Opus 4.8, Sonnet 5'],
  ['anthropic/claude-sonnet-5', 'Claude Opus 4.8, Sonnet 5'],
  ['claude-opus-4-7', 'Claude Opus 4.7'],
  ['claude-opus-4-6', 'Claude Opus 4.6'],
  ['anthropic/claude-sonnet-4.6', 'Claude Sonnet 4.6'],
  ['claude-opus-4-5-20251101', 'Claude Opus 4.5'],
  ['us.anthropic.claude-haiku-4-5-20251001-v1:0', 'Claude Haiku 4.5'],
  ['claude-sonnet-4-5-20250929', 'Claude Sonnet 4.5'],
  ['claude-opus-4-1-20250805', 'Claude Opus 4 and 4.1'],
  ['anthropic.claude-opus-4-20250514-v1:0', 'Claude Opus 4 and 4.1'],
  ['claude-sonnet-4@20250514', 'Claude Sonnet 4'],
  ['claude-3-7-sonnet-20250219', 'Claude 3'],
  ['claude-instant-1.2', 'Claude 3'],
  ['claude-opus-6', 'later Claude models'],
];

describe('findModelRules', () => {
  it.each(NAMES)('finds the family of %s', (model, family) => {
    expect(findModelRules(model)?.family).toBe(family);
  });

  it('has a name above for each family', () => {
    const families = [...OPENAI_FAMILIES, ...CLAUDE_FAMILIES].map(([, { family }]) => family);
    expect(new Set(NAMES.map(([, family]) => family))).toEqual(new Set(families));
  });

  it.each(['gemini-3-pro', 'MiniMax-M2', 'mistral-large-latest', 'smart-openai', 'gpt-5-search-api', 'm'])(
    'knows nothing of %s',
    (model) => {
      expect(findModelRules(model)).toBeNull();
    },
  );
});
