import type { Buffer } from 'node:buffer';
import type { Dialect } from '@tollgate/core/models/dialect';
import type { GatewayError, StoredCode } from '@tollgate/core/errors/errors';
import { getCodec } from '@tollgate/dialects/codec';
import { findRefusalCause, isCreditTrouble } from '@tollgate/dialects/account-trouble';
import { cleanAnthropicError } from '@tollgate/dialects/anthropic-messages/clean-error';
import { CONTENT_POLICY_CODES, CONTEXT_LENGTH_EXCEEDED } from '@tollgate/dialects/error-code';
import { refusesReasoning } from '@tollgate/dialects/refuses-reasoning';
import type { ProviderError } from '@tollgate/dialects/provider-error';
import type { JsonObject } from '@tollgate/dialects/json/parse-object';
import { cleanOpenAiError } from '@tollgate/dialects/openai-chat/clean-error';
import type { Redact } from '../catalogue/error-redactor.ts';
import { relayRetryHeaders } from '../errors/retry-headers.ts';
import { setDialectHeaders } from '../errors/send-error.ts';
import { JSON_TYPE } from './content-types.ts';
import { GatheredAnswer } from './gathered-answer.ts';
import { UNMETERED, type Metered } from './metered.ts';
import type { RefusalCause, RelayContext, ResponseHead } from './relay.ts';
import { parseErrorBody, readSentError, toProviderSaid } from './provider-said.ts';
import { repeatsRequest } from './repeats-request.ts';
import { recordedError } from './stored-text.ts';
import {
  errorInside,
  MISCONFIGURED_PROVIDER,
  NO_CREDIT_AT_PROVIDER,
  OVERSIZE_ANSWER,
  REFUSED_REASONING,
  UNREADABLE_ANSWER,
} from './upstream-failure.ts';

const MAX_ERROR_BYTES = 1024 * 1024;

/** The status and headers of a provider's refusal. */
export interface RefusalHead extends ResponseHead {
  /** The provider's dialect. */
  dialect: Dialect;
}

/**
 * Passes a provider's refusal on. If it is an error of the caller's dialect, its known members are kept; otherwise its
 * status, kind, code and message are written in the caller's dialect. Texts are redacted. A refusal that has no useful content,
 * or that is about the operator's own account, becomes an error of the gateway. So does a 403 whose cause is unknown, unless it
 * repeats text of the request.
 */
export class ErrorRelay extends GatheredAnswer {
  readonly #head: RefusalHead;

  constructor(context: RelayContext, head: RefusalHead) {
    super(context, MAX_ERROR_BYTES);
    this.#head = head;
  }

  /** A provider bills nothing for a request that it refuses. */
  override meter(): Metered {
    return { ...UNMETERED, isFinal: true };
  }

  protected override refuseRest(error: GatewayError): GatewayError {
    return error === OVERSIZE_ANSWER ? UNREADABLE_ANSWER : error;
  }

  protected answerWith(bytes: Buffer): GatewayError | null {
    const { dialect, status } = this.#head;
    if (status < 400) return UNREADABLE_ANSWER;
    const body = parseErrorBody(bytes);
    const error = getCodec(dialect).decodeError(status, body);
    const { spec, exchange, redact, settlement, translator } = this.context;
    const isAboutAccount = this.#isAboutAccount(error, body);
    this.#head.noteSaid?.(
      toProviderSaid(status, { error, body, redact, isAboutAccount, sent: this.context }),
    );
    if (isAboutAccount)
      return isCreditTrouble(status, error) ? NO_CREDIT_AT_PROVIDER : MISCONFIGURED_PROVIDER;
    if (this.#head.passRead?.() === true) return null;
    // It is tried again without the reasoning.
    if (status === 400 && refusesReasoning(error) && translator.dropReasoning()) return REFUSED_REASONING;
    const cause = findRefusedCause(error);
    if (cause !== null && this.#head.passOver?.(cause) === true) return null;
    settlement.attempts.isRejected = status === 403;
    // Its status and headers are sent already.
    if (this.context.stream.isOpen) return this.#failStream(error);
    const cleaned =
      dialect === spec.dialect ? cleanError(dialect, { status, body, redact }, exchange.requestId) : null;
    if (cleaned !== null) {
      this.#send(status === 503 ? status : statusFor(spec.dialect, status), cleaned);
      return null;
    }
    // A body that is not JSON exposes upstream details. Callers need only the retry information.
    if (typeof body === 'string' && status < 500 && status !== 429) return UNREADABLE_ANSWER;
    const reported = {
      ...error,
      message: redact(error.message),
      code: error.code === null ? null : redact(error.code),
    };
    const encoded = getCodec(spec.dialect).encodeError(reported, exchange.requestId);
    this.#send(statusFor(spec.dialect, status), encoded);
    return null;
  }

  /** @returns null: the error is the end of the caller's stream */
  #failStream(error: ProviderError): null {
    const { redact, settlement, stream } = this.context;
    const errorCode = errorCodeOfStatus(this.#head.status);
    const inside = errorInside(error, redact);
    const outcome = { status: 200, errorCode, error: recordedError(inside, this.context) };
    settlement.settle(outcome, () => stream.fail(this.context, inside));
    return null;
  }

  /** Only a sentence that is certainly about the account, and repeats nothing of the request, is kept for the operator. */
  #isAboutAccount(error: ProviderError, body: unknown): boolean {
    const { redact, settlement, request, body: sent } = this.context;
    const cause = findRefusalCause(this.#head.status, error);
    if (cause === 'request') return typeof body === 'string' && this.#head.status === 403;
    const isRepeated = repeatsRequest(error.message, { body: sent, names: [request.model] });
    if (cause === 'unknown') return isRepeated !== true || typeof body === 'string';
    if (isRepeated === false) settlement.attempts.noteRefusal(redact(error.message));
    return true;
  }

  #send(status: number, body: JsonObject): void {
    const { exchange, spec, settlement } = this.context;
    relayRetryHeaders(exchange, { ...this.#head, status });
    setDialectHeaders(exchange, spec.dialect);
    const text = JSON.stringify(body);
    const outcome = {
      status,
      errorCode: errorCodeOfStatus(status),
      error: readSentError(body, this.context),
    };
    settlement.settle(outcome, () => exchange.send(status, JSON_TYPE, text));
  }
}

/** @returns null if another provider would probably refuse the request too */
function findRefusedCause({ code }: ProviderError): RefusalCause | null {
  if (code === CONTEXT_LENGTH_EXCEEDED) return 'context_length';
  return code !== null && CONTENT_POLICY_CODES.has(code) ? 'content_policy' : null;
}

/** @returns null if the body is not an error of the dialect */
function cleanError(
  dialect: Dialect,
  { status, body, redact }: { status: number; body: unknown; redact: Redact },
  requestId: string,
): JsonObject | null {
  return dialect === 'anthropic-messages'
    ? cleanAnthropicError(body, redact, requestId)
    : cleanOpenAiError(status, body, redact);
}

/** The error code of a provider's refusal in the records. */
function errorCodeOfStatus(status: number): StoredCode {
  if (status < 500) return 'upstream_rejected';
  return status === 503 || status === 529 ? 'upstream_overloaded' : 'upstream_error';
}

/** Only Anthropic has a separate status for an overloaded provider. A 499 would mean that the caller has left. */
function statusFor(dialect: Dialect, status: number): number {
  if (status === 499) return 502;
  if (status !== 503 && status !== 529) return status;
  return dialect === 'anthropic-messages' ? 529 : 503;
}
