import type { Dialect } from '@tollgate/core/models/dialect';
import type { JsonObject } from '../json/parse-object.ts';
import { readReasoningSetting } from '../reasoning-setting.ts';
import { findOpenAiRules } from './find-model-rules.ts';
import { hasFunctions } from './fit-chat.ts';
import { readEffort } from './nearest-effort.ts';

/**
 * True if a provider with both endpoints should get a request at the Responses API instead of chat completions: some models
 * exist only there, others refuse functions with reasoning in chat completions, and only there can they continue their
 * reasoning between calls of tools.
 * @param model the provider's name for the model
 * @param members of the caller's body
 */
export function needsResponses(model: string, members: JsonObject, from: Dialect): boolean {
  const rules = findOpenAiRules(model);
  if (rules === null || rules.takesOldSettings || !isExpressible(members)) return false;
  if (rules.chat === 'none') return true;
  if (!hasFunctions(members)) return false;
  const takesNone = rules.efforts?.includes('none') === true;
  if (from !== 'openai-chat') return !(takesNone && readReasoningSetting(members) === 'off');
  if (rules.chat === 'everything') return false;
  const effort = readEffort(members['reasoning_effort']) ?? rules.defaultEffort;
  return !(takesNone && effort === 'none');
}

/** False if only chat completions can express the request. */
function isExpressible({ n, audio, modalities, web_search_options: search }: JsonObject): boolean {
  const isText = !Array.isArray(modalities) || modalities.every((modality) => modality === 'text');
  return (n ?? 1) === 1 && (audio ?? null) === null && (search ?? null) === null && isText;
}
