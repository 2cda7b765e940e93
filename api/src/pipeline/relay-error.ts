import type { Buffer } from 'node:buffer';
import type { Dialect } from '@tollgate/core/dialect';
import type { GatewayError } from '@tollgate/core/errors';
import { codecOf } from '@tollgate/dialects/codec';
import { asObject } from '@tollgate/dialects/json/parse-object';
import { setDialectHeaders } from '../errors/send-error.ts';
import type { Exchange } from '../exchange.ts';
import { GatheredAnswer } from './gathered-answer.ts';
import type { RelayContext } from './relay.ts';
import { MISCONFIGURED_PROVIDER, UNREADABLE_ANSWER } from './upstream-failure.ts';

const MAX_ERROR_BYTES = 1024 * 1024;
/** What a provider tells about trying again; its other headers describe the operator's account. */
const RELAYED_HEADERS = ['retry-after', 'retry-after-ms', 'x-should-retry'];

/** The head of a provider's refusal. */
export interface RefusalHead {
  /** The provider's. */
  dialect: Dialect;
  status: number;
  header: (name: string) => string | null;
}

/**
 * Brings a provider's refusal: its own bytes where the caller knows the dialect, else its status, its kind and its words
 * in the caller's; an error of ours where it says nothing that a caller could use.
 */
export class ErrorRelay extends GatheredAnswer {
  readonly #head: RefusalHead;

  constructor(context: RelayContext, head: RefusalHead) {
    super(context, MAX_ERROR_BYTES);
    this.#head = head;
  }

  protected answerWith(bytes: Buffer): GatewayError | null {
    const { dialect, status, header } = this.#head;
    if (status === 401 || status === 403) return MISCONFIGURED_PROVIDER;
    if (status < 400) return UNREADABLE_ANSWER;
    const body = parse(bytes);
    const { face, exchange } = this.context;
    if (dialect === face.dialect && asObject(body) !== null) {
      this.#send(status, header('content-type') ?? 'application/json', bytes);
      return null;
    }
    // Words without a form tell of the road to a provider; only whether to try again is of use to a caller.
    if (typeof body === 'string' && status < 500 && status !== 429) return UNREADABLE_ANSWER;
    const error = codecOf(dialect).decodeError(status, body);
    const encoded = codecOf(face.dialect).encodeError(error, exchange.requestId);
    this.#send(statusFor(face.dialect, status), 'application/json', JSON.stringify(encoded));
    return null;
  }

  #send(status: number, contentType: string, body: Buffer | string): void {
    const { exchange, face, settlement } = this.context;
    setRetryHeaders(exchange, this.#head.header);
    settlement.settle({ status, errorCode: errorCodeOfStatus(status) });
    setDialectHeaders(exchange, face.dialect);
    exchange.send(status, contentType, body);
  }
}

/** Passes on what the provider tells about trying again. */
function setRetryHeaders(exchange: Exchange, header: (name: string) => string | null): void {
  for (const name of RELAYED_HEADERS) {
    const value = header(name);
    if (value !== null) exchange.setHeader(name, value);
  }
}

/** What a provider's refusal is called in the records. */
function errorCodeOfStatus(status: number): string {
  if (status < 500) return 'upstream_rejected';
  return status === 503 || status === 529 ? 'upstream_overloaded' : 'upstream_error';
}

/** Anthropic alone has a status of its own for a provider that has too much to do. */
function statusFor(dialect: Dialect, status: number): number {
  if (status !== 503 && status !== 529) return status;
  return dialect === 'anthropic-messages' ? 529 : 503;
}

/** @returns the text itself where it is no JSON */
function parse(bytes: Buffer): unknown {
  const text = bytes.toString('utf8');
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
