import { renderTable } from '../render-table.ts';
import { CLAUDE_FAMILIES } from './claude-families.ts';
import type { ClaudeRules, ModelRules, OpenAiRules } from './model-rules.ts';
import { OPENAI_FAMILIES } from './openai-families.ts';

const INTRODUCTION = `## Rules of models

The models of one provider accept different requests. The gateway changes a request so that the model of the route accepts it, in passthrough and in translation, according to the tables in \`packages/dialects/src/model-rules\`. The provider's name for the model selects the family. A setting that the model refuses is dropped or replaced by the nearest that it takes, and \`x-tollgate-dropped-params\` lists it. Models of other makers get what the caller sent, except that a model whose capabilities are entered without reasoning is not asked for it, and that no request asks for more output than the model's maximum.
`;

const OPENAI_INTRODUCTION = `### OpenAI

An effort that the family lacks becomes the next lower one, else the lowest; _unknown_ sends any. Models without old settings refuse \`stop\`, penalties and \`logit_bias\`, and get \`max_tokens\` as \`max_completion_tokens\`. _Sampling_ says when \`temperature\`, \`top_p\` and log probabilities are sent. Models that reason are asked for encrypted reasoning in the Responses API. If the provider has both endpoints, tools for a model that reasons go to the Responses API when they come from another dialect, or when chat completions refuse them; if it has chat completions alone, the effort becomes \`none\`. Providers whose reasoning setting differs from OpenAI's get chat completions unchanged.
`;

const CLAUDE_INTRODUCTION = `### Anthropic

_Thinking_ lists the accepted forms: a budget becomes adaptive with the effort that corresponds to it if the family takes no budget, and adaptive thinking is dropped if it takes only budgets. _Turned off_ says when thinking may be disabled; else the lowest effort is sent. A tool that cannot be forced is offered: \`auto\`. A forced tool drops the setting of thinking.
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
      ['family', 'efforts', 'thinking', 'turned off', 'sampling', 'forced tools', 'longest output'],
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
  const { family, efforts, thinksAdaptively, takesBudget, disabling, sampling, takesForcedTools } = rules;
  const thinking = [thinksAdaptively ? 'adaptive' : '', takesBudget ? 'budget' : ''].filter(Boolean);
  return [
    family,
    listEfforts(efforts),
    thinking.join(', '),
    disabling,
    SAMPLING[sampling],
    getYes(takesForcedTools),
    getLongest(rules),
  ];
}

const listEfforts = (efforts: ModelRules['efforts']): string =>
  efforts === null ? UNKNOWN : efforts.join(', ') || 'not accepted';

const getYes = (isTrue: boolean): string => (isTrue ? 'yes' : 'no');

const getLongest = ({ maxOutputTokens }: ModelRules): string =>
  maxOutputTokens?.toLocaleString('en-US') ?? UNKNOWN;
