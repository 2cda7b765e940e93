import type { Buffer } from 'node:buffer';
import type { GatewayError } from '@tollgate/core/errors';
import { formatUsd } from '@tollgate/core/money';
import { parseJsonObject } from '@tollgate/dialects/json/parse-object';
import { mayHaveError, redactErrors } from '@tollgate/dialects/json/redact-errors';
import { readServedTerms } from '@tollgate/dialects/served/read-served-terms';
import { writtenIn } from '@tollgate/dialects/usage/written-in';
import { setDialectHeaders } from '../errors/send-error.ts';
import { JSON_TYPE } from './content-types.ts';
import { setDroppedParams } from './dropped-params.ts';
import { GatheredAnswer, MAX_ANSWER_BYTES } from './gathered-answer.ts';
import { meterAnswer } from './metered.ts';
import type { RelayContext } from './relay.ts';
import { errorInAnswer, UNREADABLE_ANSWER } from './upstream-failure.ts';

/** Relays an answer that is not a stream: it waits for the end, since its cost goes into the headers. */
export class WholeRelay extends GatheredAnswer {
  readonly #status: number;

  constructor(context: RelayContext, status: number) {
    super(context, MAX_ANSWER_BYTES);
    this.#status = status;
  }

  protected answerWith(bytes: Buffer): GatewayError | null {
    const { exchange, face, settlement, dropped, redact } = this.context;
    const text = bytes.toString('utf8');
    const body = parseJsonObject(text);
    if (body === null) return UNREADABLE_ANSWER;
    if (!face.isAnswer(body)) return errorInAnswer(face.dialect, body, redact);
    settlement.noteServed(readServedTerms(body));
    const metered = meterAnswer(this.context, face.decodeUsage(body), writtenIn(body));
    const redacted = mayHaveError(text) ? redactErrors(body, redact) : body;
    const answer = redacted === body ? bytes : JSON.stringify(redacted);
    setDroppedParams(exchange, dropped);
    setDialectHeaders(exchange, face.dialect);
    settlement.settle({ status: this.#status, errorCode: null, ...metered }, (costNanoUsd) => {
      if (metered.usage !== null) exchange.setHeader('x-tollgate-cost', formatUsd(costNanoUsd));
      exchange.send(this.#status, JSON_TYPE, answer);
    });
    return null;
  }
}
