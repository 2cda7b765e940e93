import { checkArguments } from '@tollgate/dialects/call-arguments';
import type { CompletionRequest } from '@tollgate/core/completion/request';
import type { Dialect } from '@tollgate/core/models/dialect';
import type { ModelCapability } from '@tollgate/core/models/model-capabilities';
import { deny, type Result } from '@tollgate/core/errors/errors';
import { toCallerError, toCallerParam, toCallerSetting } from '@tollgate/dialects/caller-param';
import { getCodec } from '@tollgate/dialects/codec';
import { parseJsonObject, type JsonObject } from '@tollgate/dialects/json/parse-object';
import { LIMIT_MEMBERS } from '@tollgate/dialects/limit-members';
import { findOpenAiRules } from '@tollgate/dialects/model-rules/find-model-rules';
import { takesOpenAiSettings } from '@tollgate/dialects/model-rules/fit-model-rules';
import { NO_QUIRKS, type ProviderQuirks } from '@tollgate/dialects/openai-chat/quirks/provider-quirks';
import { STOP_LIMITS } from '@tollgate/dialects/stop-sequences/stop-scanner';
import { isReasoning } from '@tollgate/dialects/thinking-signature';
import { NEWER_COMPATIBLE_QUIRKS } from '@tollgate/upstreams/presets/compatible-quirks';
import type { Route } from '../catalogue/route.ts';
import type { Exchange } from '../exchange.ts';
import type { CachedKey } from '../keys/key-cache.ts';
import { fitPromptCache, getCacheCaller, type CacheCaller } from './fit-prompt-cache.ts';

/** Output limit for models without a known limit, in dialects that require one. */
const UNKNOWN_MODEL_MAX_TOKENS = 4_096;

/** What an encoder must know about the provider of a request. Plain data: it can be sent to a thread. */
export interface TranslationTarget {
  dialect: Dialect;
  /** The provider's name for the model. */
  upstreamModel: string;
  quirks: ProviderQuirks;
  /** True if the provider has a preset; a custom server can be anything. */
  isKnown: boolean;
  /** True for Anthropic's own API. */
  isAnthropic: boolean;
  /** The output limit for a request that names none. */
  defaultMaxTokens: number;
  /** null: the caller's own body is sent. */
  caller: CacheCaller | null;
  /** True: the provider has refused the reasoning in the conversation, so all of it is left out; absent: it has not. */
  dropsReasoning?: boolean;
}

/** What an encoder must know about the model of a request. */
interface TargetModel {
  /** null: unknown. */
  maxOutputTokens: number | null;
  capabilities: readonly ModelCapability[];
}

/** A request as its caller sent it. */
export interface DecodedRequest {
  requestBody: JsonObject;
  canonical: CompletionRequest;
}

/** What, besides its body, decides how a request is written for a provider. */
export interface TargetSource {
  model: TargetModel;
  key: Pick<CachedKey, 'accountId'>;
  exchange: Pick<Exchange, 'header'>;
}

export function getTarget(route: Route, dialect: Dialect, source: TargetSource): TranslationTarget {
  const { model, key, exchange } = source;
  const caller = getCacheCaller(exchange, key.accountId);
  return { ...getRouteTarget(route, dialect, model), quirks: getQuirks(route, model), caller };
}

function getRouteTarget(
  route: Route,
  dialect: Dialect,
  { maxOutputTokens }: TargetModel,
): Omit<TranslationTarget, 'quirks' | 'caller'> {
  return {
    dialect,
    upstreamModel: route.upstreamModel,
    isKnown: isKnown(route),
    isAnthropic: isAnthropic(route),
    defaultMaxTokens: maxOutputTokens ?? UNKNOWN_MODEL_MAX_TOKENS,
  };
}

function getQuirks({ provider, upstreamModel }: Route, model: TargetModel): ProviderQuirks {
  if (provider.kind !== 'http') return NO_QUIRKS;
  const isNewer = provider.preset === null && findOpenAiRules(upstreamModel)?.takesOldSettings === false;
  return isNewer ? NEWER_COMPATIBLE_QUIRKS : fitQuirks(provider.quirks, upstreamModel, model);
}

const isKnown = ({ provider }: Route): boolean => provider.kind === 'http' && provider.preset !== null;

const ANTHROPIC_ORIGIN = 'https://api.anthropic.com/';

const isAnthropic = ({ provider }: Route): boolean =>
  provider.kind === 'http' &&
  (provider.preset === 'anthropic' || provider.baseUrl.startsWith(ANTHROPIC_ORIGIN));

/** The same for a provider that is sent the caller's own body. */
export function getRelayTarget(
  route: Route,
  dialect: Dialect,
  { model }: Pick<TargetSource, 'model'>,
): TranslationTarget {
  const quirks = relayedQuirks(route, dialect, model);
  return { ...getRouteTarget(route, dialect, model), quirks, caller: null };
}

/** The quirks that a caller's own body is changed for. Custom servers are unknown: they get what the caller wrote. */
function relayedQuirks(
  { provider, upstreamModel }: Route,
  dialect: Dialect,
  model: TargetModel,
): ProviderQuirks {
  const hasQuirks = provider.kind === 'http' && provider.preset !== null && dialect === 'openai-chat';
  return hasQuirks ? fitQuirks(provider.quirks, upstreamModel, model) : NO_QUIRKS;
}

const withoutReasoning = new WeakMap<ProviderQuirks, ProviderQuirks>();

/** A model that does not reason refuses to be asked for it. With OpenAI's settings, the rules of its models say the same. */
function fitQuirks(quirks: ProviderQuirks, upstreamModel: string, model: TargetModel): ProviderQuirks {
  const rules = findOpenAiRules(upstreamModel);
  const isFitted = rules !== null && takesOpenAiSettings(quirks);
  const reasons = rules?.reasons !== false && !lacksReasoning(model);
  if (quirks === NO_QUIRKS || isFitted || reasons) return quirks;
  const known = withoutReasoning.get(quirks);
  if (known !== undefined) return known;
  const fitted: ProviderQuirks = { ...quirks, reasoningMember: 'none' };
  withoutReasoning.set(quirks, fitted);
  return fitted;
}

/** False also if the operator has not entered what the model can do. */
function lacksReasoning({ capabilities }: TargetModel): boolean {
  return capabilities.length > 0 && !capabilities.includes('reasoning');
}

export function decodeBody(from: Dialect, text: string): Result<DecodedRequest> {
  const requestBody = parseJsonObject(text);
  if (requestBody === null) return deny('invalid_json', 'The request body is not a JSON object.');
  const decoded = getCodec(from).decodeRequest(requestBody);
  if (!decoded.ok) return decoded;
  const error = checkArguments(decoded.value.messages);
  return error === null
    ? { ok: true, value: { requestBody, canonical: decoded.value } }
    : { ok: false, error };
}

/** A request in a provider's dialect. */
export interface EncodedRequest {
  body: JsonObject;
  /** What the provider's dialect does not support, in the caller's terms. */
  dropped: string[];
  /** Stop sequences that the gateway applies to the response. */
  stopSequences: readonly string[];
}

/**
 * Writes a request in a provider's dialect.
 * @param outputLimit maximum output tokens to send; null: the caller's
 */
export function encodeFor(
  from: Dialect,
  canonical: CompletionRequest,
  { target, outputLimit }: { target: TranslationTarget; outputLimit: number | null },
): Result<EncodedRequest> {
  const { dialect, upstreamModel: model, quirks, defaultMaxTokens } = target;
  const kept = target.dropsReasoning === true ? withoutReasoningParts(canonical) : canonical;
  const { request: cached, breakpoints, dropped: withheld } = fitPromptCache(from, kept, target);
  const request = { ...cached, model, maxOutputTokens: outputLimit ?? canonical.maxOutputTokens };
  const encoded = getCodec(dialect).encodeRequest(request, { quirks, defaultMaxTokens, ...breakpoints });
  if (encoded.ok) {
    const stops = findAppliedStops(canonical, encoded.body);
    if (!stops.ok) return { ok: false, error: toCallerError(from, stops.error) };
    // The gateway's own limit and cache key are not the caller's.
    const names = encoded.dropped.filter(
      (name) =>
        name !== 'stop' &&
        (canonical.maxOutputTokens !== null || !LIMIT_MEMBERS.includes(name)) &&
        (request.promptCacheKey === canonical.promptCacheKey || name !== 'prompt_cache_key'),
    );
    const dropped = [...new Set(names.map((name) => toCallerSetting(from, name))), ...withheld];
    if (kept !== canonical && !dropped.includes('reasoning')) dropped.push('reasoning');
    return { ok: true, value: { body: encoded.body, dropped, stopSequences: stops.value } };
  }
  const { error } = encoded;
  const param = error.param === undefined ? {} : { param: toCallerParam(from, error.param) };
  return { ok: false, error: { ...error, ...param } };
}

function withoutReasoningParts(request: CompletionRequest): CompletionRequest {
  const messages = request.messages.map((message) =>
    message.role === 'assistant'
      ? { ...message, content: message.content.filter((part) => !isReasoning(part)) }
      : message,
  );
  return { ...request, messages };
}

/** The stop sequences that neither the provider's dialect nor its model takes. */
function findAppliedStops(canonical: CompletionRequest, body: JsonObject): Result<readonly string[]> {
  const isSent = body['stop'] !== undefined || body['stop_sequences'] !== undefined;
  const sequences = isSent ? [] : canonical.stopSequences.filter((sequence) => sequence !== '');
  const { maxSequences, maxLength } = STOP_LIMITS;
  if (sequences.length <= maxSequences && sequences.every(({ length }) => length <= maxLength))
    return { ok: true, value: sequences };
  const message = `This model's provider takes no stop sequences, and the gateway looks for at most ${maxSequences} of ${maxLength} characters.`;
  return deny('unsupported_parameter', message, { param: 'stop' });
}
