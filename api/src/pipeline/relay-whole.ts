import type { Buffer } from 'node:buffer';
import type { GatewayError } from '@tollgate/core/errors';
import { formatUsd } from '@tollgate/core/money';
import { parseJsonObject } from '@tollgate/dialects/json/parse-object';
import { setDialectHeaders } from '../errors/send-error.ts';
import { setDroppedParams } from './dropped-params.ts';
import { GatheredAnswer, MAX_ANSWER_BYTES } from './gathered-answer.ts';
import type { RelayContext } from './relay.ts';
import { UNREADABLE_ANSWER } from './upstream-failure.ts';

/** Brings an answer that is no stream: it waits for the end, since its cost goes into the headers. */
export class WholeRelay extends GatheredAnswer {
  readonly #status: number;
  readonly #contentType: string;

  constructor(context: RelayContext, status: number, contentType: string) {
    super(context, MAX_ANSWER_BYTES);
    this.#status = status;
    this.#contentType = contentType;
  }

  protected answerWith(bytes: Buffer): GatewayError | null {
    const { exchange, face, settlement, inputTokens, dropped } = this.context;
    const body = parseJsonObject(bytes.toString('utf8'));
    if (body === null) return UNREADABLE_ANSWER;
    const reported = face.decodeUsage(body);
    const usage = reported ?? face.estimateUsage({ inputTokens, answerBytes: bytes.length });
    exchange.setHeader('x-tollgate-cost', formatUsd(settlement.billFor(usage)));
    const estimated = reported === null;
    settlement.settle({ status: this.#status, errorCode: null, usage, estimated });
    setDroppedParams(exchange, dropped);
    setDialectHeaders(exchange, face.dialect);
    exchange.send(this.#status, this.#contentType, bytes);
    return null;
  }
}
