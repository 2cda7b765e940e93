import { renderTable } from '../render-table.ts';
import { CLAUDE_FAMILIES } from './claude-families.ts';
import type { ClaudeRules, ModelRules, OpenAiRules } from './model-rules.ts';
import { OPENAI_FAMILIES } from './openai-families.ts';

const INTRODUCTION = `## Rules of models

Models of the same provider accept different requests. The gateway changes a request so that the upstream model accepts it, in passthrough and in translation, according to the tables in \`packages/dialects/src/model-rules\`. The provider's name for the model selects the family. A setting that the model refuses is dropped or replaced by the nearest accepted value, and \`x-tollgate-dropped-params\` lists it. Models of other makers get what the caller sent, with two exceptions: a model with listed capabilities that do not include reasoning gets no reasoning setting, and the maximum output of a request is lowered to that of the model.
`;

const OPENAI_INTRODUCTION = `### OpenAI

The columns:

- _Efforts_ lists the accepted values of the reasoning effort. Another value becomes the next lower one, or the lowest if none is lower. If the values are unknown, any value is sent.
- _Without an effort_ is the effort that the model uses if the request names none.
- _Sampling_ says when \`temperature\`, \`top_p\` and log probabilities are sent.
- _Old settings_: models without them refuse \`stop\`, penalties and \`logit_bias\`, and get \`max_tokens\` as \`max_completion_tokens\`.
- _Chat completions_ says which requests the model accepts at that endpoint: all, none, or tools only if it does not reason.

Models that reason are asked for encrypted reasoning in the Responses API. If the provider has both endpoints, a request with tools for a model that reasons goes to the Responses API if the caller used another dialect, or if chat completions would refuse it. If the provider has only chat completions, such a request gets the effort \`none\`. Providers whose reasoning setting differs from OpenAI's get chat completions unchanged.
`;

const CLAUDE_INTRODUCTION = `### Anthropic

The columns:

- _Thinking_ lists the accepted forms of \`thinking\`. If the family takes no budget, a budget becomes adaptive thinking with a corresponding effort. If the family takes only budgets, adaptive thinking is dropped.
- _Turned off_ says when thinking can be disabled: up to high effort, or only between tool calls (as \`between_tools\`). Otherwise the lowest effort is sent instead.
- _Sampling_ says whether \`temperature\` and \`top_p\` are sent: both, one of them, or none.
- _Forced tools_: if the family does not take them, the tool choice becomes \`auto\`. If it does, a request with a forced tool is sent without its thinking setting.
- _Shortest cached prefix_, in tokens, is from the provider's documentation. Shorter prefixes get no automatic cache breakpoints ([prompt caching](#prompt-caching)). \`never\`: the family never gets them.

Models before Claude 4.8 refuse messages of the role \`system\` among the others, which Claude Code sends to models whose names it does not know. They get them as messages of the user.
`;

const UNKNOWN = 'unknown';

/** Writes the rules of all families. */
export function renderModelRules(): string {
  const openAi = OPENAI_FAMILIES.map(([, rules]) => getOpenAiRow(rules));
  const claude = CLAUDE_FAMILIES.map(([, rules]) => getClaudeRow(rules));
  return [
    INTRODUCTION,
    OPENAI_INTRODUCTION,
    renderTable(
      [
        'family',
        'efforts',
        'without an effort',
        'sampling',
        'old settings',
        'chat completions',
        'longest output',
      ],
      openAi,
    ),
    CLAUDE_INTRODUCTION,
    renderTable(
      [
        'family',
        'efforts',
        'thinking',
        'turned off',
        'sampling',
        'forced tools',
        'longest output',
        'shortest cached prefix',
      ],
      claude,
    ),
  ].join('\n');
}

function getOpenAiRow(rules: OpenAiRules): string[] {
  const { family, efforts, defaultEffort, sampling, takesOldSettings, chat } = rules;
  const usual = efforts?.length === 0 ? 'none' : (defaultEffort ?? UNKNOWN);
  return [family, listEfforts(efforts), usual, sampling, getYes(takesOldSettings), chat, getLongest(rules)];
}

const SAMPLING: Readonly<Record<ClaudeRules['sampling'], string>> = {
  all: 'yes',
  one: '`temperature` or `top_p`',
  none: 'no',
};

function getClaudeRow(rules: ClaudeRules): string[] {
  const {
    family,
    efforts,
    thinksAdaptively,
    takesBudget,
    disabling,
    sampling,
    takesForcedTools,
    minCacheTokens,
  } = rules;
  const thinking = [thinksAdaptively ? 'adaptive' : '', takesBudget ? 'budget' : ''].filter(Boolean);
  return [
    family,
    listEfforts(efforts),
    thinking.join(', '),
    disabling,
    SAMPLING[sampling],
    getYes(takesForcedTools),
    getLongest(rules),
    minCacheTokens?.toLocaleString('en-US') ?? 'never',
  ];
}

const listEfforts = (efforts: ModelRules['efforts']): string =>
  efforts === null ? UNKNOWN : efforts.join(', ') || 'not accepted';

const getYes = (isTrue: boolean): string => (isTrue ? 'yes' : 'no');

const getLongest = ({ maxOutputTokens }: ModelRules): string =>
  maxOutputTokens?.toLocaleString('en-US') ?? UNKNOWN;
