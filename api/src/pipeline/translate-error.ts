import { Buffer } from 'node:buffer';
import type { Dialect } from '@tollgate/core/dialect';
import type { GatewayError } from '@tollgate/core/errors';
import { codecOf } from '@tollgate/dialects/codec';
import { setDialectHeaders } from '../errors/send-error.ts';
import { errorCodeOfStatus, setRetryHeaders } from './relay-error.ts';
import { refuse, type Metered, type Relay, type RelayContext, type Taken } from './relay.ts';
import { MISCONFIGURED_PROVIDER, OVERSIZE_ANSWER, UNREADABLE_ANSWER } from './upstream-failure.ts';

const MAX_ERROR_BYTES = 1024 * 1024;

/** Brings a provider's refusal in another dialect than its own: its status, its kind and its words. */
export class ErrorTranslation implements Relay {
  readonly #context: RelayContext;
  readonly #dialect: Dialect;
  readonly #status: number;
  readonly #header: (name: string) => string | null;
  readonly #chunks: Buffer[] = [];
  #size = 0;
  /** Everything is sent at the end. */
  readonly hasBegun = false;

  /** @param answer the provider's, in its `dialect` */
  constructor(
    context: RelayContext,
    answer: { dialect: Dialect; status: number; header: (name: string) => string | null },
  ) {
    this.#context = context;
    this.#dialect = answer.dialect;
    this.#status = answer.status;
    this.#header = answer.header;
  }

  take(chunk: Buffer): Taken {
    this.#size += chunk.length;
    if (this.#size > MAX_ERROR_BYTES) return OVERSIZE_ANSWER;
    this.#chunks.push(chunk);
    return 'more';
  }

  finish(): GatewayError | null {
    if (this.#status === 401 || this.#status === 403) return MISCONFIGURED_PROVIDER;
    if (this.#status < 400) return UNREADABLE_ANSWER;
    const { exchange, face, settlement } = this.#context;
    const error = codecOf(this.#dialect).decodeError(this.#status, parse(Buffer.concat(this.#chunks)));
    const status = statusFor(face.dialect, this.#status);
    setRetryHeaders(exchange, this.#header);
    settlement.settle({ status, errorCode: errorCodeOfStatus(status) });
    setDialectHeaders(exchange, face.dialect);
    const body = codecOf(face.dialect).encodeError(error, exchange.requestId);
    exchange.send(status, 'application/json', JSON.stringify(body));
    return null;
  }

  fail(error: GatewayError): void {
    refuse(this.#context, error);
  }

  meter(): Metered {
    return { usage: null, estimated: false };
  }
}

/** Anthropic alone has a status of its own for a provider that has too much to do. */
function statusFor(dialect: Dialect, status: number): number {
  if (status !== 503 && status !== 529) return status;
  return dialect === 'anthropic-messages' ? 529 : 503;
}

function parse(bytes: Buffer): unknown {
  const text = bytes.toString('utf8');
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
