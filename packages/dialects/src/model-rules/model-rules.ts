import type { ReasoningEffort } from '@tollgate/core/completion/request';

/** What the models of a family accept. Their provider answers 400 to a request that breaks a rule. */
interface FamilyRules {
  /** As the documentation names it. */
  family: string;
  /** The lowest first; none: the models take no effort; null: unknown. */
  efforts: readonly ReasoningEffort[] | null;
  /** The longest output, in tokens; null: unknown. */
  maxOutputTokens: number | null;
}

/** Rules of OpenAI's models, in chat completions and in the Responses API. */
export interface OpenAiRules extends FamilyRules {
  maker: 'openai';
  /** The models can return their reasoning encrypted. */
  reasons: boolean;
  /** The effort of a request that names none; null: unknown, but not `none`. */
  defaultEffort: ReasoningEffort | null;
  /** When they take `temperature`, `top_p` and log probabilities. */
  sampling: 'always' | 'without reasoning' | 'never';
  /** False: they refuse any `verbosity` other than `medium`, the default. */
  takesVerbosity: boolean;
  /** False: they refuse `stop`, penalties, `logit_bias` and the old name `max_tokens`. */
  takesOldSettings: boolean;
  /** What chat completions accept; `none`: only the Responses API serves the models. */
  chat: 'everything' | 'tools without reasoning' | 'none';
}

/** Rules of Anthropic's models, in the Messages API. */
export interface ClaudeRules extends FamilyRules {
  maker: 'anthropic';
  /** `thinking` as `adaptive`. */
  thinksAdaptively: boolean;
  /** `thinking` as `enabled`, with `budget_tokens`. */
  takesBudget: boolean;
  /** When `thinking` may be `disabled`; `between tools`: it is called `between_tools`. */
  disabling: 'always' | 'up to high effort' | 'between tools' | 'never';
  /** `one`: `temperature` or `top_p`, not both. */
  sampling: 'all' | 'one' | 'none';
  /** `tool_choice` as `any` or `tool`, without thinking. */
  takesForcedTools: boolean;
  /** Messages of the role `system` among the others. */
  takesSystemInside: boolean;
  /** The shortest prefix that can be cached, in tokens; null: hosts differ in whether these models cache at all. */
  minCacheTokens: number | null;
}

export type ModelRules = OpenAiRules | ClaudeRules;

/** A row of the table: the first row whose pattern matches a name applies. */
export type Family<Rules extends ModelRules> = readonly [RegExp, Rules];
