import type { CompletionRequest } from '@tollgate/core/completion/request';
import type { Dialect } from '@tollgate/core/models/dialect';
import { deny, type Result } from '@tollgate/core/errors/errors';
import { toCallerParam } from '@tollgate/dialects/caller-param';
import { getCodec } from '@tollgate/dialects/codec';
import { parseJsonObject, type JsonObject } from '@tollgate/dialects/json/parse-object';
import { NO_QUIRKS, type ProviderQuirks } from '@tollgate/dialects/openai-chat/quirks/provider-quirks';
import type { Route } from '../catalogue/route.ts';

/** Output limit for models without a known limit, in dialects that require one. */
const UNKNOWN_MODEL_MAX_TOKENS = 4_096;

/** What an encoder must know about the provider of a request. Plain data: it can be sent to a thread. */
export interface TranslationTarget {
  dialect: Dialect;
  /** The provider's name for the model. */
  upstreamModel: string;
  quirks: ProviderQuirks;
  /** The output limit for a request that names none. */
  defaultMaxTokens: number;
}

/** A request as its caller sent it. */
export interface DecodedRequest {
  requestBody: JsonObject;
  canonical: CompletionRequest;
}

/** @param maxOutputTokens the model's own limit; null: unknown */
export function getTarget(route: Route, dialect: Dialect, maxOutputTokens: number | null): TranslationTarget {
  return {
    dialect,
    upstreamModel: route.upstreamModel,
    quirks: route.provider.kind === 'http' ? route.provider.quirks : NO_QUIRKS,
    defaultMaxTokens: maxOutputTokens ?? UNKNOWN_MODEL_MAX_TOKENS,
  };
}

/** The quirks that a caller's own body is changed for. Custom servers are unknown: they get what the caller wrote. */
export function relayedQuirks({ provider }: Route, dialect: Dialect): ProviderQuirks {
  const isKnown = provider.kind === 'http' && provider.preset !== null && dialect === 'openai-chat';
  return isKnown ? provider.quirks : NO_QUIRKS;
}

export function decodeBody(from: Dialect, text: string): Result<DecodedRequest> {
  const requestBody = parseJsonObject(text);
  if (requestBody === null) return deny('invalid_json', 'The request body is not a JSON object.');
  const decoded = getCodec(from).decodeRequest(requestBody);
  return decoded.ok ? { ok: true, value: { requestBody, canonical: decoded.value } } : decoded;
}

/**
 * Writes a request in a provider's dialect.
 * @param outputLimit maximum output tokens to send; null: the caller's
 * @returns `dropped` lists what the provider's dialect does not support, in the caller's terms
 */
export function encodeFor(
  from: Dialect,
  canonical: CompletionRequest,
  { target, outputLimit }: { target: TranslationTarget; outputLimit: number | null },
): Result<{ body: JsonObject; dropped: string[] }> {
  const { dialect, upstreamModel: model, quirks, defaultMaxTokens } = target;
  const request = { ...canonical, model, maxOutputTokens: outputLimit ?? canonical.maxOutputTokens };
  const encoded = getCodec(dialect).encodeRequest(request, { quirks, defaultMaxTokens });
  if (encoded.ok) return { ok: true, value: { body: encoded.body, dropped: encoded.dropped } };
  const { error } = encoded;
  const param = error.param === undefined ? {} : { param: toCallerParam(from, error.param) };
  return { ok: false, error: { ...error, ...param } };
}
