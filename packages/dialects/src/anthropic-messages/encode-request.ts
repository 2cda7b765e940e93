import { deny } from '@tollgate/core/errors/errors';
import type { CompletionRequest } from '@tollgate/core/completion/request';
import type { Encoded } from '../encoded.ts';
import type { JsonObject } from '../json/parse-object.ts';
import { encodeEndUser } from './encode-end-user.ts';
import { encodeExtra } from './encode-extra.ts';
import { encodeMessages } from './encode-messages.ts';
import { encodeOutputFormat } from './encode-output-format.ts';
import { encodeReasoning } from './encode-reasoning.ts';
import { EncodeReport } from '../encode-report.ts';
import { encodeSampling } from './encode-sampling.ts';
import { encodeTools } from './encode-tools.ts';
import { withoutOthersReasoning } from './others-reasoning.ts';
import { OLDEST_CLAUDE } from '../model-rules/claude-families.ts';
import { findClaudeRules } from '../model-rules/find-model-rules.ts';
import { fitModelRules } from '../model-rules/fit-model-rules.ts';
import { NO_QUIRKS } from '../openai-chat/quirks/provider-quirks.ts';
import { portableRequest } from '../portable-tools/portable-request.ts';
import { fitBreakpoints } from '../prompt-cache/fit-breakpoints.ts';
import { placeBreakpoints } from '../prompt-cache/place-breakpoints.ts';

export interface AnthropicRequestContext {
  /** `max_tokens` for a request without it, which this dialect requires: the model's own limit. */
  defaultMaxTokens: number;
  /** Cache breakpoints are placed if they pay; absent: only those of the request are written. */
  breakpoints?: { isAgent: boolean };
}

/**
 * Writes a request as the body of `POST /v1/messages`. `request.model` is the name that the provider knows: it
 * decides what the model accepts. `field-table.ts` says what becomes of each field.
 * @returns `unsupported_parameter` if the answer would mean something else without a field that has no place here
 */
export function encodeAnthropicRequest(given: CompletionRequest, context: AnthropicRequestContext): Encoded {
  const report = new EncodeReport();
  const request = portableRequest(given, 'anthropic-messages', report);
  const known = findClaudeRules(request.model);
  const rules = known ?? OLDEST_CLAUDE;
  const messages = known === null ? request.messages : withoutOthersReasoning(request.messages, report);
  const maxTokens = request.maxOutputTokens ?? context.defaultMaxTokens;
  const { system, turns } = encodeMessages(messages, rules.takesSystemInside, report);
  const { thinking, effort } = encodeReasoning({ ...request, messages }, rules, maxTokens, report);
  const { format, instruction } = encodeOutputFormat(request.outputFormat);
  if (instruction !== null) system.push(instruction);
  const thinks = thinking !== null && thinking['type'] !== 'disabled';
  const output = { ...(effort === null ? {} : { effort }), ...(format === null ? {} : { format }) };
  const body: JsonObject = {
    model: request.model,
    max_tokens: maxTokens,
    ...(system.length === 0 ? {} : { system }),
    messages: turns,
    ...encodeTools(request, report),
    ...(request.stopSequences.length === 0 ? {} : { stop_sequences: request.stopSequences }),
    ...encodeSampling(request.sampling, rules, thinks, report),
    ...(thinking === null ? {} : { thinking }),
    ...(Object.keys(output).length === 0 ? {} : { output_config: output }),
    ...encodeEndUser(request.endUser, report),
    ...encodeServiceTier(request.serviceTier, report),
    ...(request.stream ? { stream: true } : {}),
    ...encodeExtra(request.extra, report),
  };
  // The key says that the prefix will be used again.
  const isKeyUsed = context.breakpoints !== undefined && rules.minCacheTokens !== null;
  judgeTheRest(request, isKeyUsed, report);
  fitModelRules(body, { dialect: 'anthropic-messages', model: request.model, quirks: NO_QUIRKS }, report);
  const { refusal } = report;
  if (refusal !== null) return { ok: false, error: refusal };
  if (turns.length === 0)
    return deny('invalid_request', 'messages must contain at least one message that is not empty.', {
      param: 'messages',
    });
  fitBreakpoints(body, report);
  const { minCacheTokens: minTokens } = rules;
  if (context.breakpoints !== undefined && minTokens !== null)
    placeBreakpoints(body, { minTokens, hasKey: request.promptCacheKey !== null, ...context.breakpoints });
  return { ok: true, body, dropped: report.dropped };
}

function encodeServiceTier(tier: string | null, report: EncodeReport): JsonObject {
  if (tier === 'auto') return { service_tier: 'auto' };
  if (tier === 'default' || tier === 'standard_only') return { service_tier: 'standard_only' };
  if (tier !== null) report.drop('service_tier');
  return {};
}

/** The fields that have no place in this dialect. */
function judgeTheRest(request: CompletionRequest, isKeyUsed: boolean, report: EncodeReport): void {
  if (request.choices > 1) report.refuse('n', 'n above 1');
  if (request.logprobs !== null) report.refuse('logprobs', 'logprobs');
  if (request.modalities.some((modality) => modality !== 'text')) report.refuse('modalities', 'audio output');
  if (request.stopSequences.some((sequence) => sequence.trim() === ''))
    report.refuse('stop', 'a stop sequence of nothing but blanks');
  if (request.verbosity !== null) report.drop('verbosity');
  if (request.metadata !== null) report.drop('metadata');
  if (request.promptCacheKey !== null && !isKeyUsed) report.drop('prompt_cache_key');
}
