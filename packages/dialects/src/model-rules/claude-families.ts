import type { ClaudeRules, Family } from './model-rules.ts';

/** Claude 3 and other models behind this dialect. */
export const OLDEST_CLAUDE: ClaudeRules = {
  maker: 'anthropic',
  family: 'Claude 3',
  efforts: [],
  maxOutputTokens: null,
  thinksAdaptively: false,
  takesBudget: true,
  disabling: 'always',
  sampling: 'all',
  takesForcedTools: true,
  takesSystemInside: false,
  minCacheTokens: null,
};

const CLAUDE_4_5: Omit<ClaudeRules, 'family'> = {
  ...OLDEST_CLAUDE,
  maxOutputTokens: 64_000,
  sampling: 'one',
  minCacheTokens: 1_024,
};

const CLAUDE_4_6: Omit<ClaudeRules, 'family'> = {
  ...CLAUDE_4_5,
  efforts: ['low', 'medium', 'high', 'max'],
  thinksAdaptively: true,
};

const CLAUDE_4_7: Omit<ClaudeRules, 'family'> = {
  ...CLAUDE_4_6,
  efforts: ['low', 'medium', 'high', 'xhigh', 'max'],
  maxOutputTokens: 128_000,
  takesBudget: false,
  sampling: 'none',
  minCacheTokens: 2_048,
};

const CLAUDE_4_8: Omit<ClaudeRules, 'family'> = {
  ...CLAUDE_4_7,
  takesSystemInside: true,
  minCacheTokens: 1_024,
};

const CLAUDE_5: Omit<ClaudeRules, 'family'> = { ...CLAUDE_4_8, minCacheTokens: 512 };

/**
 * Anthropic's models (https://platform.claude.com/docs/en/about-claude/models/migration-guide and the guide of each model), as of
 * 2026-11-26. The rules were compared with the catalogue of `@ai-sdk/anthropic` of 2026-11-25. The shortest prefixes that can be
 * cached are those of https://platform.claude.com/docs/en/build-with-claude/prompt-caching#cache-limitations; for models that it did not
 * list yet, those of the models before them. A breakpoint below the shortest prefix has no effect and no cost.
 */
export const CLAUDE_FAMILIES: readonly Family<ClaudeRules>[] = [
  [
    /^claude-sonnet-5-5(?!\d)/,
    { ...CLAUDE_4_8, family: 'Claude Sonnet 5.5', disabling: 'between tools', takesForcedTools: false },
  ],
  [
    /^claude-(?:opus-5-5|(?:fable|mythos)-5-[12])(?!\d)/,
    {
      ...CLAUDE_5,
      family: 'Claude Opus 5.5, Fable and Mythos 5.1 and 5.2',
      disabling: 'never',
      takesForcedTools: false,
    },
  ],
  [/^claude-(?:fable|mythos)-5/, { ...CLAUDE_5, family: 'Claude Fable and Mythos 5', disabling: 'never' }],
  [
    /^claude-(?:haiku-5-5|opus-5)(?!\d)/,
    { ...CLAUDE_5, family: 'Claude Opus 5, Haiku 5.5', disabling: 'up to high effort' },
  ],
  [/^claude-(?:sonnet-5|opus-4-8)(?!\d)/, { ...CLAUDE_4_8, family: 'Claude Opus 4.8, Sonnet 5' }],
  [/^claude-opus-4-7(?!\d)/, { ...CLAUDE_4_7, family: 'Claude Opus 4.7' }],
  [
    /^claude-opus-4-6(?!\d)/,
    { ...CLAUDE_4_6, family: 'Claude Opus 4.6', maxOutputTokens: 128_000, minCacheTokens: 4_096 },
  ],
  [/^claude-sonnet-4-6(?!\d)/, { ...CLAUDE_4_6, family: 'Claude Sonnet 4.6' }],
  [
    /^claude-opus-4-5(?!\d)/,
    {
      ...CLAUDE_4_5,
      family: 'Claude Opus 4.5',
      efforts: ['low', 'medium', 'high'],
      minCacheTokens: 4_096,
    },
  ],
  [/^claude-haiku-4-5(?!\d)/, { ...CLAUDE_4_5, family: 'Claude Haiku 4.5', minCacheTokens: 4_096 }],
  [/^claude-sonnet-4-5(?!\d)/, { ...CLAUDE_4_5, family: 'Claude Sonnet 4.5' }],
  [
    /^claude-opus-4(?:-[01](?!\d)|(?!-\d{1,2}(?!\d)))/,
    { ...CLAUDE_4_5, family: 'Claude Opus 4 and 4.1', maxOutputTokens: 32_000 },
  ],
  [
    /^claude-sonnet-4(?:-0(?!\d)|(?!-\d{1,2}(?!\d)))/,
    { ...CLAUDE_4_5, family: 'Claude Sonnet 4', sampling: 'all' },
  ],
  [/^claude-(?:[a-z]+-)?[1-3](?!\d)/, OLDEST_CLAUDE],
  [
    /^claude-[a-z]+-\d/,
    { ...CLAUDE_4_8, family: 'later Claude models', maxOutputTokens: null, disabling: 'up to high effort' },
  ],
];
