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
};

const CLAUDE_4_5: Omit<ClaudeRules, 'family'> = {
  ...OLDEST_CLAUDE,
  maxOutputTokens: 64_000,
  sampling: 'one',
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
};

const CLAUDE_4_8: Omit<ClaudeRules, 'family'> = { ...CLAUDE_4_7, takesSystemInside: true };

/**
 * Anthropic's models (https://platform.claude.com/docs/en/about-claude/models/migration-guide and the guide of each model), as of
 * 2026-11-25. The rules were compared with the catalogue of `@ai-sdk/anthropic` of that date.
 */
export const CLAUDE_FAMILIES: readonly Family<ClaudeRules>[] = [
  [
    /^claude-sonnet-5-5(?!\d)/,
    { ...CLAUDE_4_8, family: 'Claude Sonnet 5.5', disabling: 'between tools', takesForcedTools: false },
  ],
  [
    /^claude-(?:opus-5-5|(?:fable|mythos)-5-[12])(?!\d)/,
    {
      ...CLAUDE_4_8,
      family: 'Claude Opus 5.5, Fable and Mythos 5.1 and 5.2',
      disabling: 'never',
      takesForcedTools: false,
    },
  ],
  [/^claude-(?:fable|mythos)-5/, { ...CLAUDE_4_8, family: 'Claude Fable and Mythos 5', disabling: 'never' }],
  [
    /^claude-(?:haiku-5-5|opus-5)(?!\d)/,
    { ...CLAUDE_4_8, family: 'Claude Opus 5, Haiku 5.5', disabling: 'up to high effort' },
  ],
  [/^claude-(?:sonnet-5|opus-4-8)(?!\d)/, { ...CLAUDE_4_8, family: 'Claude Opus 4.8, Sonnet 5' }],
  [/^claude-opus-4-7(?!\d)/, { ...CLAUDE_4_7, family: 'Claude Opus 4.7' }],
  [/^claude-opus-4-6(?!\d)/, { ...CLAUDE_4_6, family: 'Claude Opus 4.6', maxOutputTokens: 128_000 }],
  [/^claude-sonnet-4-6(?!\d)/, { ...CLAUDE_4_6, family: 'Claude Sonnet 4.6' }],
  [
    /^claude-opus-4-5(?!\d)/,
    { ...CLAUDE_4_5, family: 'Claude Opus 4.5', efforts: ['low', 'medium', 'high'] },
  ],
  [/^claude-(?:haiku|sonnet)-4-5(?!\d)/, { ...CLAUDE_4_5, family: 'Claude Haiku and Sonnet 4.5' }],
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
