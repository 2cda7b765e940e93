import { Buffer } from 'node:buffer';
import type { GatewayError } from '@tollgate/core/errors';
import { formatUsd } from '@tollgate/core/money';
import { parseJsonObject } from '@tollgate/dialects/json/parse-object';
import { setDialectHeaders } from '../errors/send-error.ts';
import { setDroppedParams } from './dropped-params.ts';
import { refuse, type Metered, type Relay, type RelayContext, type Taken } from './relay.ts';
import { UNREADABLE_ANSWER } from './upstream-failure.ts';

const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

/** Brings an answer that is no stream: it waits for the end, since its cost goes into the headers. */
export class WholeRelay implements Relay {
  /** Everything is sent at the end. */
  readonly hasBegun = false;
  readonly #context: RelayContext;
  readonly #status: number;
  readonly #contentType: string;
  readonly #chunks: Buffer[] = [];
  #size = 0;

  constructor(context: RelayContext, status: number, contentType: string) {
    this.#context = context;
    this.#status = status;
    this.#contentType = contentType;
  }

  take(chunk: Buffer): Taken {
    this.#size += chunk.length;
    if (this.#size > MAX_ANSWER_BYTES) throw new RangeError('The answer is larger than 64 MiB');
    this.#chunks.push(chunk);
    return 'more';
  }

  finish(): GatewayError | null {
    const { exchange, face, request, settlement, requestBytes } = this.#context;
    const [first] = this.#chunks;
    const bytes = first !== undefined && this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks);
    const body = parseJsonObject(bytes.toString('utf8'));
    if (body === null) return UNREADABLE_ANSWER;
    const reported = face.decodeUsage(body);
    const usage = reported ?? face.estimateUsage(request, { requestBytes, answerBytes: bytes.length });
    const costNanoUsd = settlement.costOf(usage);
    exchange.setHeader('x-tollgate-cost', formatUsd(costNanoUsd));
    const estimated = reported === null;
    settlement.settle({ status: this.#status, errorCode: null, usage, estimated, costNanoUsd });
    setDroppedParams(exchange, this.#context.dropped);
    setDialectHeaders(exchange, face.dialect);
    exchange.send(this.#status, this.#contentType, bytes);
    return null;
  }

  fail(error: GatewayError): void {
    refuse(this.#context, error);
  }

  meter(): Metered {
    return { usage: null, estimated: false };
  }
}
