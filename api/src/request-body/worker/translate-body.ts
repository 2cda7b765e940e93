import { Buffer } from 'node:buffer';
import type { CompletionRequest } from '@tollgate/core/completion/request';
import type { Dialect } from '@tollgate/core/models/dialect';
import { deny, type Result } from '@tollgate/core/errors/errors';
import { classifyBody, type ClassifiedBody } from '@tollgate/dialects/contract/request-members';
import { writeJson } from '@tollgate/dialects/json/heap-guard';
import { JsonObjectBytes } from '@tollgate/dialects/json/edit-members';
import { readMemberPlaces, type MemberPlaces } from '@tollgate/dialects/json/member-places';
import type { JsonObject } from '@tollgate/dialects/json/parse-object';
import {
  fitConversation,
  UNCHANGED,
  type FittedConversation,
} from '@tollgate/dialects/openai-chat/quirks/fit-conversation';
import type { FittedHistory } from '@tollgate/dialects/history/history-target';
import { outlineRequest } from '@tollgate/dialects/outline-request';
import { getDeclaringInput } from '@tollgate/dialects/portable-tools/responses-tools';
import { decodeBody, encodeFor, type TranslationTarget } from '../../pipeline/encode-for-provider.ts';
import { fitRelayedHistory, hasQuirks } from '../../pipeline/relayed-history.ts';

/** A large body in a provider's dialect, written by a thread. */
interface PreparedTranslation {
  target: TranslationTarget;
  encoded: Result<PreparedBody>;
}

export interface PreparedBody {
  body: Uint8Array<ArrayBuffer>;
  places: MemberPlaces;
  /** The members that contracts classify. */
  classified: ClassifiedBody;
  /** What the provider's dialect does not support, in the caller's terms. */
  dropped: string[];
  /** Stop sequences that the gateway applies to the response. */
  stopSequences: readonly string[];
  /** What its members are written from; see `fitToLimit`. */
  outline: CompletionRequest;
}

/** How the conversation of a large body changes for a provider of its dialect, computed by a thread. */
export interface PreparedConversation {
  target: TranslationTarget;
  fitted: FittedConversation;
  history: FittedHistory;
}

/** What a thread has prepared of a large body for the providers of its model. */
export interface PreparedTranslations {
  /** The caller's members that responses repeat: all except the conversation, of which only declared tools are kept. */
  requestBody: JsonObject;
  translations: PreparedTranslation[];
  conversations: PreparedConversation[];
}

/** Twice the largest body: escapes can make a decoded document many times as large, for each of several providers. */
const MAX_TRANSLATED_CHARACTERS = 64 * 1024 * 1024;
const TRANSLATED_TOO_LARGE = deny(
  'request_too_large',
  `The request body is longer than ${MAX_TRANSLATED_CHARACTERS / 1024 / 1024} Mi characters after its translation for a provider. Send documents without control characters, or less.`,
);

/** Longer instructions are not repeated in responses. */
const MAX_REPEATED_CHARACTERS = 64 * 1024;

/**
 * Writes a body for each of several providers; for a provider of the same dialect, only what its quirks change.
 * @returns a denial if it cannot be read
 */
export function translateBody(
  from: Dialect,
  body: Buffer,
  targets: readonly TranslationTarget[],
): Result<PreparedTranslations> {
  const conversations = targets
    .filter(({ dialect }) => dialect === from)
    .map((target) => prepareConversation(body, target));
  const others = targets.filter(({ dialect }) => dialect !== from);
  if (others.length === 0) return { ok: true, value: { requestBody: {}, translations: [], conversations } };
  const decoded = decodeBody(from, body.toString('utf8'));
  if (!decoded.ok) return decoded;
  const { requestBody, canonical } = decoded.value;
  const { members } = classifyBody(requestBody);
  const { instructions } = requestBody;
  const isRepeated = typeof instructions === 'string' && instructions.length <= MAX_REPEATED_CHARACTERS;
  const translations = others.map((target) => ({ target, encoded: prepare(from, canonical, target) }));
  return {
    ok: true,
    value: {
      requestBody: { ...members, ...(isRepeated ? { instructions } : {}), ...getDeclaringInput(requestBody) },
      translations,
      conversations,
    },
  };
}

function prepareConversation(body: Buffer, target: TranslationTarget): PreparedConversation {
  const object = new JsonObjectBytes(body);
  const fitted = hasQuirks(target)
    ? fitConversation(object, { quirks: target.quirks, model: target.upstreamModel })
    : UNCHANGED;
  return { target, fitted, history: fitRelayedHistory(object, target) };
}

function prepare(
  from: Dialect,
  canonical: CompletionRequest,
  target: TranslationTarget,
): Result<PreparedBody> {
  const encoded = encodeFor(from, canonical, { target, outputLimit: null });
  if (!encoded.ok) return encoded;
  const { body, dropped, stopSequences } = encoded.value;
  const text = writeJson(body);
  if (text.length > MAX_TRANSLATED_CHARACTERS) return TRANSLATED_TOO_LARGE;
  const bytes = new Uint8Array(Buffer.from(text));
  const classified = classifyBody(body);
  const outline = outlineRequest(canonical, target.dialect);
  return {
    ok: true,
    value: {
      body: bytes,
      places: readMemberPlaces(Buffer.from(bytes.buffer)),
      classified,
      dropped,
      stopSequences,
      outline,
    },
  };
}
