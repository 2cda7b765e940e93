import type { Family, OpenAiRules } from './model-rules.ts';

/** Models that do not reason. */
const CHAT: Omit<OpenAiRules, 'family'> = {
  maker: 'openai',
  efforts: [],
  maxOutputTokens: null,
  reasons: false,
  defaultEffort: 'none',
  sampling: 'always',
  takesVerbosity: false,
  takesOldSettings: true,
  chat: 'everything',
};

/** Models that reason, of which nothing else is known. */
const OPEN: Omit<OpenAiRules, 'family'> = {
  ...CHAT,
  efforts: null,
  reasons: true,
  defaultEffort: null,
  takesVerbosity: true,
};

const REASONING: Omit<OpenAiRules, 'family'> = {
  ...OPEN,
  maxOutputTokens: 128_000,
  sampling: 'never',
  takesOldSettings: false,
};

const RESPONSES_ONLY = { ...REASONING, maxOutputTokens: null, chat: 'none' } as const;
const OPTIONAL = { sampling: 'without reasoning', defaultEffort: 'none' } as const;
const TOOLS_WITHOUT_REASONING = { chat: 'tools without reasoning' } as const;

/**
 * OpenAI's models (https://developers.openai.com/api/docs/models and
 * https://developers.openai.com/api/docs/guides/latest-model), as of 2026-11-25. The efforts and the settings were compared with
 * the catalogue of `@ai-sdk/openai` 4.0.118, verbosity with reports of refused requests
 * (https://github.com/openai/codex/issues/19188, https://github.com/theopenco/llmgateway/pull/2989).
 */
export const OPENAI_FAMILIES: readonly Family<OpenAiRules>[] = [
  [/^gpt-oss/, { ...OPEN, family: 'gpt-oss' }],
  [/^computer-use/, { ...OPEN, family: 'computer-use' }],
  [
    /^(?:codex-|gpt-5(?:\.[12])?-codex|o\d+-(?:pro|(?:mini-)?deep-research))/,
    {
      ...RESPONSES_ONLY,
      family: 'Codex up to GPT-5.2, o-series pro and deep research',
      takesVerbosity: false,
    },
  ],
  [/^gpt-[\d.]+-(?:codex|pro)/, { ...RESPONSES_ONLY, family: 'Codex since GPT-5.3, GPT pro' }],
  [/^gpt-5-chat/, { ...CHAT, family: 'GPT-5 Chat', maxOutputTokens: 16_384 }],
  [
    /^gpt-[\d.]+-chat/,
    {
      ...REASONING,
      family: 'GPT-5.1 Chat and later',
      maxOutputTokens: 16_384,
      defaultEffort: 'medium',
      takesVerbosity: false,
    },
  ],
  [
    /^gpt-6(?:-astra|\.1-sol|\.2-)/,
    {
      ...REASONING,
      ...TOOLS_WITHOUT_REASONING,
      family: 'GPT-6 Astra, GPT-6.1 Sol, GPT-6.2',
      efforts: ['low', 'medium', 'high', 'xhigh', 'max'],
    },
  ],
  [
    /^gpt-(?:5\.6(?!\d)|6-(?:sol|luna)|6\.1-terra)/,
    {
      ...REASONING,
      ...TOOLS_WITHOUT_REASONING,
      family: 'GPT-5.6, GPT-6 Sol and Luna, GPT-6.1 Terra',
      efforts: ['none', 'low', 'medium', 'high', 'xhigh', 'max'],
      sampling: 'without reasoning',
      defaultEffort: 'medium',
    },
  ],
  [
    /^gpt-5\.5(?!\d)/,
    {
      ...REASONING,
      ...TOOLS_WITHOUT_REASONING,
      family: 'GPT-5.5',
      efforts: ['none', 'low', 'medium', 'high', 'xhigh'],
      sampling: 'without reasoning',
      defaultEffort: 'medium',
    },
  ],
  [
    /^gpt-5\.4(?!\d)/,
    {
      ...REASONING,
      ...TOOLS_WITHOUT_REASONING,
      ...OPTIONAL,
      family: 'GPT-5.4',
      efforts: ['none', 'low', 'medium', 'high', 'xhigh'],
    },
  ],
  [
    /^gpt-5\.[23](?!\d)/,
    {
      ...REASONING,
      ...OPTIONAL,
      family: 'GPT-5.2 and 5.3',
      efforts: ['none', 'low', 'medium', 'high', 'xhigh'],
    },
  ],
  [
    /^gpt-5\.1(?!\d)/,
    { ...REASONING, ...OPTIONAL, family: 'GPT-5.1', efforts: ['none', 'low', 'medium', 'high'] },
  ],
  [
    /^gpt-5(?![.\d])(?!.*-search)/,
    {
      ...REASONING,
      family: 'GPT-5',
      efforts: ['minimal', 'low', 'medium', 'high'],
      defaultEffort: 'medium',
    },
  ],
  // Azure writes `gpt-35-turbo`.
  [/^gpt-(?:4-turbo|3\.?5)/, { ...CHAT, family: 'GPT-4 Turbo, GPT-3.5 Turbo', maxOutputTokens: 4_096 }],
  [
    /^gpt-(?:5\.|[6-9]|\d\d)/,
    { ...REASONING, ...TOOLS_WITHOUT_REASONING, family: 'later GPT models', maxOutputTokens: null },
  ],
  [
    /^o1-(?:mini|preview)/,
    { ...REASONING, family: 'o1-mini, o1-preview', maxOutputTokens: null, takesVerbosity: false },
  ],
  [
    /^o[134](?!\d)/,
    {
      ...REASONING,
      family: 'o-series',
      takesVerbosity: false,
      efforts: ['low', 'medium', 'high'],
      defaultEffort: 'medium',
      maxOutputTokens: 100_000,
    },
  ],
  [/^gpt-4\.1/, { ...CHAT, family: 'GPT-4.1', maxOutputTokens: 32_768 }],
  [/^gpt-4o/, { ...CHAT, family: 'GPT-4o', maxOutputTokens: 16_384 }],
  [/^gpt-4/, { ...CHAT, family: 'GPT-4' }],
];
