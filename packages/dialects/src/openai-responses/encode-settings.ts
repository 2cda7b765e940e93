import type { CompletionRequest, OutputFormat, ReasoningEffort } from '@tollgate/core/completion/request';
import type { EncodeReport } from '../encode-report.ts';
import type { JsonObject } from '../json/parse-object.ts';
import { encodeName } from '../openai-chat/encode-name.ts';
import { findLeastEffort } from '../model-rules/find-least-effort.ts';
import { findOpenAiRules } from '../model-rules/find-model-rules.ts';
import { effortOfBudget } from '../openai-chat/encode-settings.ts';
import { toServiceTier } from './service-tier.ts';

const SCHEMA_NAME = 'answer';
const KEY = 'prompt_cache_key';

/** Writes what steers sampling and the form of the answer. */
export function encodeSettings(request: CompletionRequest, report: EncodeReport): JsonObject {
  const { sampling, logprobs } = request;
  judgeTheRest(request, report);
  return {
    ...given('max_output_tokens', request.maxOutputTokens),
    ...given('temperature', sampling.temperature),
    ...given('top_p', sampling.topP),
    ...(logprobs === null || logprobs.alternatives === 0 ? {} : { top_logprobs: logprobs.alternatives }),
    ...encodeText(request),
    ...encodeServiceTier(request.serviceTier, report),
    ...encodeName({ to: 'safety_identifier', from: 'user', value: request.endUser }, report),
    ...encodeName({ to: KEY, from: KEY, value: request.promptCacheKey }, report),
    ...given('metadata', request.metadata),
  };
}

function given(name: string, value: unknown): JsonObject {
  return value === null ? {} : { [name]: value };
}

function encodeText({ outputFormat, verbosity }: CompletionRequest): JsonObject {
  const text = {
    ...(outputFormat.type === 'text' ? {} : { format: encodeFormat(outputFormat) }),
    ...given('verbosity', verbosity),
  };
  return Object.keys(text).length === 0 ? {} : { text };
}

function encodeFormat(format: Exclude<OutputFormat, { type: 'text' }>): JsonObject {
  if (format.type === 'json_object') return { type: 'json_object' };
  const { name, description, schema, strict } = format;
  return {
    type: 'json_schema',
    name: name ?? SCHEMA_NAME,
    ...given('description', description),
    schema,
    ...given('strict', strict),
  };
}

/** The effort of the request; null: it is left to the model. */
export function encodeEffort(
  { reasoning, model }: Pick<CompletionRequest, 'reasoning' | 'model'>,
  report: EncodeReport,
): ReasoningEffort | null {
  switch (reasoning?.type) {
    case undefined:
      return null;
    case 'off': {
      const { effort, isOff } = findLeastEffort(model);
      if (!isOff) report.drop('thinking');
      return effort;
    }
    case 'effort':
    case 'adaptive':
      return reasoning.effort;
    case 'budget':
      return effortOfBudget(reasoning.tokens);
  }
}

function encodeServiceTier(tier: string | null, report: EncodeReport): JsonObject {
  if (tier === null) return {};
  const name = toServiceTier(tier);
  if (name === null) report.drop('service_tier');
  return given('service_tier', name);
}

/** The fields that have no place in this dialect. */
function judgeTheRest(request: CompletionRequest, report: EncodeReport): void {
  const { model, sampling, choices, modalities } = request;
  // Models that reason refuse it in every dialect.
  const refusesOldSettings = findOpenAiRules(model)?.takesOldSettings === false;
  if (choices > 1) report.refuse('n', 'n above 1');
  if (modalities.some((modality) => modality !== 'text')) report.refuse('modalities', 'audio output');
  const bias = sampling.logitBias;
  if (bias !== null && Object.keys(bias).length > 0) {
    if (refusesOldSettings) report.drop('logit_bias');
    else report.refuse('logit_bias', 'logit_bias');
  }
  if (sampling.topK !== null) report.drop('top_k');
  if (sampling.seed !== null) report.drop('seed');
  if ((sampling.presencePenalty ?? 0) !== 0) report.drop('presence_penalty');
  if ((sampling.frequencyPenalty ?? 0) !== 0) report.drop('frequency_penalty');
}
