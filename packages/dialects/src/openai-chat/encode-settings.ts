import type { EncodeReport } from '../encode-report.ts';
import type {
  CompletionRequest,
  OutputFormat,
  Reasoning,
  ReasoningEffort,
} from '@tollgate/core/completion/request';
import type { JsonObject } from '../json/parse-object.ts';
import { encodeName } from './encode-name.ts';

/** The largest budgets that Google, whose models know both, maps to an effort (ai.google.dev/gemini-api/docs/openai). */
const LOW_EFFORT_TOKENS = 1024;
const MEDIUM_EFFORT_TOKENS = 8192;
const SCHEMA_NAME = 'answer';
const KEY = 'prompt_cache_key';
const SERVICE_TIERS = ['auto', 'default', 'flex', 'scale', 'priority', 'fast'];

/** Writes what steers sampling and the form of the answer. */
export function encodeSettings(request: CompletionRequest, report: EncodeReport): JsonObject {
  const { sampling, logprobs, modalities, verbosity, reasoning } = request;
  return {
    ...given('temperature', sampling.temperature),
    ...given('top_p', sampling.topP),
    ...given('top_k', sampling.topK),
    ...given('seed', sampling.seed),
    ...given('presence_penalty', sampling.presencePenalty),
    ...given('frequency_penalty', sampling.frequencyPenalty),
    ...given('logit_bias', sampling.logitBias),
    ...given('max_completion_tokens', request.maxOutputTokens),
    ...(request.stopSequences.length === 0 ? {} : { stop: request.stopSequences }),
    ...(request.choices === 1 ? {} : { n: request.choices }),
    ...(logprobs === null ? {} : { logprobs: true, top_logprobs: logprobs.alternatives }),
    ...(modalities.length === 1 && modalities[0] === 'text' ? {} : { modalities }),
    ...given('verbosity', verbosity),
    ...(reasoning === null ? {} : { reasoning: encodeReasoningObject(reasoning) }),
    ...encodeOutputFormat(request.outputFormat),
    ...encodeServiceTier(request.serviceTier, report),
    ...encodeName({ to: 'user', from: 'user', value: request.endUser }, report),
    ...given('metadata', request.metadata),
    ...encodeName({ to: KEY, from: KEY, value: request.promptCacheKey }, report),
  };
}

function given(name: string, value: unknown): JsonObject {
  return value === null ? {} : { [name]: value };
}

function encodeOutputFormat(format: OutputFormat): JsonObject {
  if (format.type === 'text') return {};
  if (format.type === 'json_object') return { response_format: { type: 'json_object' } };
  const { name, description, schema, strict } = format;
  const json = {
    name: name ?? SCHEMA_NAME,
    ...given('description', description),
    schema,
    ...given('strict', strict),
  };
  return { response_format: { type: 'json_schema', json_schema: json } };
}

/** Anthropic's `standard_only` is what is called `default` here. */
function encodeServiceTier(tier: string | null, report: EncodeReport): JsonObject {
  const name = tier === 'standard_only' || tier === 'standard' ? 'default' : tier;
  if (name === null) return {};
  if (SERVICE_TIERS.includes(name)) return { service_tier: name };
  report.drop('service_tier');
  return {};
}

/** The effort that a setting names or corresponds to; null: none. */
export function getEffort(reasoning: Reasoning): ReasoningEffort | null {
  switch (reasoning.type) {
    case 'off':
      return null;
    case 'effort':
    case 'adaptive':
      return reasoning.effort;
    case 'budget':
      return effortOfBudget(reasoning.tokens);
  }
}

/** The effort that corresponds to a budget of thinking tokens. */
export function effortOfBudget(tokens: number): ReasoningEffort {
  if (tokens <= LOW_EFFORT_TOKENS) return 'low';
  return tokens <= MEDIUM_EFFORT_TOKENS ? 'medium' : 'high';
}

/** OpenRouter's `reasoning`, which can express every setting (https://openrouter.ai/docs/use-cases/reasoning-tokens). */
export function encodeReasoningObject(reasoning: Reasoning): JsonObject {
  switch (reasoning.type) {
    case 'off':
      return { enabled: false };
    case 'effort':
      return { effort: reasoning.effort };
    case 'budget':
      return { max_tokens: reasoning.tokens };
    case 'adaptive':
      return { enabled: true, ...given('effort', reasoning.effort) };
  }
}
