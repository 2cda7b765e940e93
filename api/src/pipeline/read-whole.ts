import { haveManyValues } from '@tollgate/dialects/call-arguments';
import type { Buffer } from 'node:buffer';
import type { Dialect } from '@tollgate/core/models/dialect';
import type { Result } from '@tollgate/core/errors/errors';
import { NO_USAGE } from '@tollgate/core/money/money';
import type { ServedTerms } from '@tollgate/core/money/rates/rate-need';
import type { AnswerContext } from '@tollgate/dialects/answer-context';
import { getCodec } from '@tollgate/dialects/codec';
import { getDialectRules } from '@tollgate/dialects/dialect-rules';
import { writeJson } from '@tollgate/dialects/json/heap-guard';
import { asObject, parseJsonObject, type JsonObject } from '@tollgate/dialects/json/parse-object';
import { hidesSecret, mayHaveError, redactErrors } from '@tollgate/dialects/json/redact-errors';
import { carryItem } from '@tollgate/dialects/openai-responses/carried/item-id';
import { readServedTerms } from '@tollgate/dialects/served/read-served-terms';
import { stopResponse } from '@tollgate/dialects/stop-sequences/stop-response';
import { UniqueCallIds } from '@tollgate/dialects/unique-call-ids';
import { showUsage } from '@tollgate/dialects/usage/completion-usage';
import { writtenIn } from '@tollgate/dialects/usage/written-in';
import type { Redact } from '../catalogue/error-redactor.ts';
import type { EndpointSpec } from '../endpoints.ts';
import { meterAnswer, type Metered } from './metered.ts';
import { errorInAnswer, UNREADABLE_ANSWER } from './upstream-failure.ts';

/** The part of a spec that reads whole responses. */
export type AnswerSpec = Pick<EndpointSpec, 'dialect' | 'isAnswer' | 'decodeUsage' | 'completeUsage'>;

/** How a response in another dialect is translated. */
export interface AnswerTranslation extends AnswerContext {
  /** The provider's dialect. */
  from: Dialect;
  /** Stop sequences that the gateway applies. */
  stopSequences: readonly string[];
}

export interface ReadOptions {
  spec: AnswerSpec;
  inputTokens: number;
  estimateInput: () => number;
  redact: Redact;
  /** null: the provider speaks the caller's dialect. */
  translation: AnswerTranslation | null;
  /** True: the ids of items carry them, for a caller of the Responses API who may refer to them; absent: false. */
  carriesItems?: boolean;
}

/** The content of a whole response, and the text for the caller. */
export interface ReadAnswer {
  served: ServedTerms | null;
  metered: Metered;
  /** null: the caller gets the bytes unchanged. */
  text: string | null;
}

const BYTE_ORDER_MARK = '\ufeff';

/** Reads a whole response, here or in a thread. @returns the error that it contains, if any */
export function readWhole(bytes: Buffer, options: ReadOptions): Result<ReadAnswer> {
  const text = bytes.toString('utf8');
  // Clients ignore a byte order mark: https://www.rfc-editor.org/rfc/rfc8259#section-8.1
  const body = parseJsonObject(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text);
  if (body === null) return { ok: false, error: UNREADABLE_ANSWER };
  const { translation } = options;
  return translation === null
    ? readSame(text, body, options)
    : readTranslated(body, { ...options, translation });
}

function readSame(text: string, body: JsonObject, options: ReadOptions): Result<ReadAnswer> {
  const { spec, redact } = options;
  if (!spec.isAnswer(body)) return { ok: false, error: errorInAnswer(spec.dialect, body, redact) };
  const metered = meterAnswer(options, spec.decodeUsage(body), writtenIn(body));
  const hasError = mayHaveError(text);
  const redacted = hasError ? asObject(redactErrors(body, redact)) : body;
  // Ids carry what the caller is shown.
  const shown = options.carriesItems === true && redacted !== null ? carryItems(redacted) : redacted;
  const isSame = shown === body && !(hasError && hidesSecret(text, body, redact));
  return {
    ok: true,
    value: {
      served: readServedTerms(body),
      metered,
      text: isSame ? null : writeJson(shown),
    },
  };
}

function carryAny(value: unknown): unknown {
  const item = asObject(value);
  return item === null ? value : carryItem(item);
}

function carryItems(body: JsonObject): JsonObject {
  const { output } = body;
  if (!Array.isArray(output)) return body;
  return { ...body, output: output.map((item: unknown) => carryAny(item)) };
}

function readTranslated(
  body: JsonObject,
  options: ReadOptions & { translation: AnswerTranslation },
): Result<ReadAnswer> {
  const { spec, redact, translation } = options;
  const rules = getDialectRules(translation.from);
  const response = rules.isAnswer(body) ? getCodec(translation.from).decodeResponse(body) : null;
  if (response === null) return { ok: false, error: errorInAnswer(translation.from, body, redact) };
  if (response.choices.some(({ content }) => haveManyValues(content)))
    return { ok: false, error: UNREADABLE_ANSWER };
  new UniqueCallIds().renameAll(response);
  const report = rules.decodeUsage(body);
  const metered = meterAnswer(options, report, writtenIn(body));
  const usage = showUsage(metered.usage ?? NO_USAGE, report?.reasoningTokens ?? null);
  const stopped =
    translation.stopSequences.length === 0 ? response : stopResponse(response, translation.stopSequences);
  const answer = getCodec(spec.dialect).encodeResponse({ ...stopped, usage }, translation);
  return { ok: true, value: { served: readServedTerms(body), metered, text: writeJson(answer) } };
}
