import { renderTable } from '../render-table.ts';
import { CLAUDE_FAMILIES } from './claude-families.ts';
import type { ClaudeRules, Family, ModelRules, OpenAiRules } from './model-rules.ts';
import { OPENAI_FAMILIES } from './openai-families.ts';

const INTRODUCTION = `## Rules of models

Models of the same provider accept different requests. The gateway changes a request so that the upstream model accepts it, in passthrough and in translation, according to the tables in \`packages/dialects/src/model-rules\`. The provider's name for the model selects the family. A setting that the model refuses is dropped or replaced by the nearest accepted value, and \`x-tollgate-dropped-params\` lists it. Models of other makers get what the caller sent, with two exceptions: a model with listed capabilities that do not include reasoning gets no reasoning setting, and the maximum output of a request is lowered to that of the model.
`;

const OPENAI_INTRODUCTION = `### OpenAI

The columns:

- _Efforts_ lists the accepted values of the reasoning effort. Another value becomes the next lower one, or the lowest if none is lower. If the values are unknown, any value is sent.
- _Without an effort_ is the effort that the model uses if the request names none.
- _Sampling_ says when \`temperature\`, \`top_p\` and log probabilities are sent.
- _Verbosity_: models without it get only \`medium\`, the default.
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

/** A column for each rule; null: the text states it, or another column does. */
type Columns<Rules> = {
  readonly [Name in Exclude<keyof Rules, 'maker'>]:
    | readonly [header: string, write: (rules: Rules) => string]
    | null;
};

const OPENAI_COLUMNS: Columns<OpenAiRules> = {
  family: ['family', ({ family }) => family],
  efforts: ['efforts', listEfforts],
  defaultEffort: [
    'without an effort',
    ({ efforts, defaultEffort }) => (efforts?.length === 0 ? 'none' : (defaultEffort ?? UNKNOWN)),
  ],
  sampling: ['sampling', ({ sampling }) => sampling],
  takesVerbosity: ['verbosity', ({ takesVerbosity }) => getYes(takesVerbosity)],
  takesOldSettings: ['old settings', ({ takesOldSettings }) => getYes(takesOldSettings)],
  chat: ['chat completions', ({ chat }) => chat],
  maxOutputTokens: ['longest output', getLongest],
  reasons: null,
};

const SAMPLING: Readonly<Record<ClaudeRules['sampling'], string>> = {
  all: 'yes',
  one: '`temperature` or `top_p`',
  none: 'no',
};

const CLAUDE_COLUMNS: Columns<ClaudeRules> = {
  family: ['family', ({ family }) => family],
  efforts: ['efforts', listEfforts],
  thinksAdaptively: [
    'thinking',
    ({ thinksAdaptively, takesBudget }) =>
      [thinksAdaptively ? 'adaptive' : '', takesBudget ? 'budget' : ''].filter(Boolean).join(', '),
  ],
  takesBudget: null,
  disabling: ['turned off', ({ disabling }) => disabling],
  sampling: ['sampling', ({ sampling }) => SAMPLING[sampling]],
  takesForcedTools: ['forced tools', ({ takesForcedTools }) => getYes(takesForcedTools)],
  maxOutputTokens: ['longest output', getLongest],
  minCacheTokens: [
    'shortest cached prefix',
    ({ minCacheTokens }) => minCacheTokens?.toLocaleString('en-US') ?? 'never',
  ],
  takesSystemInside: null,
};

/** Writes the rules of all families. */
export function renderModelRules(): string {
  return [
    INTRODUCTION,
    OPENAI_INTRODUCTION,
    renderFamilies(OPENAI_COLUMNS, OPENAI_FAMILIES),
    CLAUDE_INTRODUCTION,
    renderFamilies(CLAUDE_COLUMNS, CLAUDE_FAMILIES),
  ].join('\n');
}

function renderFamilies<Rules extends ModelRules>(
  columns: Columns<Rules>,
  families: readonly Family<Rules>[],
): string {
  const shown = Object.values<Columns<Rules>[keyof Columns<Rules>]>(columns).filter(
    (column) => column !== null,
  );
  return renderTable(
    shown.map(([header]) => header),
    families.map(([, rules]) => shown.map(([, write]) => write(rules))),
  );
}

function listEfforts({ efforts }: ModelRules): string {
  return efforts === null ? UNKNOWN : efforts.join(', ') || 'not accepted';
}

function getYes(isTrue: boolean): string {
  return isTrue ? 'yes' : 'no';
}

function getLongest({ maxOutputTokens }: ModelRules): string {
  return maxOutputTokens?.toLocaleString('en-US') ?? UNKNOWN;
}
