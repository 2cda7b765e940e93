import { Buffer } from 'node:buffer';
import type { GatewayError } from '@tollgate/core/errors';
import { parseJsonObject } from '@tollgate/dialects/json/parse-object';
import { setDialectHeaders } from '../errors/send-error.ts';
import type { Exchange } from '../exchange.ts';
import { refuse, type Metered, type Relay, type RelayContext, type Taken } from './relay.ts';
import { MISCONFIGURED_PROVIDER, UNREADABLE_ANSWER } from './upstream-failure.ts';

const MAX_ERROR_BYTES = 1024 * 1024;
/** What a provider tells about trying again; its other headers describe the operator's account. */
const RELAYED_HEADERS = ['retry-after', 'retry-after-ms', 'x-should-retry'];

/** Brings a provider's refusal: its own body where that is in the caller's dialect, an error of ours else. */
export class ErrorRelay implements Relay {
  /** Everything is sent at the end. */
  readonly hasBegun = false;
  readonly #context: RelayContext;
  readonly #status: number;
  readonly #header: (name: string) => string | null;
  readonly #chunks: Buffer[] = [];
  #size = 0;

  constructor(context: RelayContext, status: number, header: (name: string) => string | null) {
    this.#context = context;
    this.#status = status;
    this.#header = header;
  }

  take(chunk: Buffer): Taken {
    this.#size += chunk.length;
    if (this.#size > MAX_ERROR_BYTES) throw new RangeError('The error body is larger than 1 MiB');
    this.#chunks.push(chunk);
    return 'more';
  }

  finish(): GatewayError | null {
    const { exchange, face, settlement } = this.#context;
    if (this.#status === 401 || this.#status === 403) return MISCONFIGURED_PROVIDER;
    const bytes = Buffer.concat(this.#chunks);
    if (this.#status < 400 || parseJsonObject(bytes.toString('utf8')) === null) return UNREADABLE_ANSWER;
    setRetryHeaders(exchange, this.#header);
    settlement.settle({ status: this.#status, errorCode: errorCodeOfStatus(this.#status) });
    setDialectHeaders(exchange, face.dialect);
    exchange.send(this.#status, this.#header('content-type') ?? 'application/json', bytes);
    return null;
  }

  fail(error: GatewayError): void {
    refuse(this.#context, error);
  }

  meter(): Metered {
    return { usage: null, estimated: false };
  }
}

/** Passes on what the provider tells about trying again. */
export function setRetryHeaders(exchange: Exchange, header: (name: string) => string | null): void {
  for (const name of RELAYED_HEADERS) {
    const value = header(name);
    if (value !== null) exchange.setHeader(name, value);
  }
}

/** What a provider's refusal is called in the records. */
export function errorCodeOfStatus(status: number): string {
  if (status < 500) return 'upstream_rejected';
  return status === 503 || status === 529 ? 'upstream_overloaded' : 'upstream_error';
}
