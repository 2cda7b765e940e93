import type { Buffer } from 'node:buffer';
import type { GatewayError } from '@tollgate/core/errors';
import { formatUsd, NO_USAGE } from '@tollgate/core/money';
import { codecOf } from '@tollgate/dialects/codec';
import { dialectRulesOf } from '@tollgate/dialects/dialect-rules';
import { parseJsonObject } from '@tollgate/dialects/json/parse-object';
import { showUsage } from '@tollgate/dialects/usage/completion-usage';
import { writtenIn } from '@tollgate/dialects/usage/written-in';
import { readServedTerms } from '@tollgate/dialects/served/read-served-terms';
import { setDialectHeaders } from '../errors/send-error.ts';
import { JSON_TYPE } from './content-types.ts';
import { setDroppedParams } from './dropped-params.ts';
import { GatheredAnswer, MAX_ANSWER_BYTES } from './gathered-answer.ts';
import { meterAnswer } from './metered.ts';
import type { RelayContext } from './relay.ts';
import type { TranslatedRequest } from './translation.ts';
import { errorInAnswer, UNREADABLE_ANSWER } from './upstream-failure.ts';

/** Relays an answer that is not a stream in another dialect than the provider's. */
export class WholeTranslation extends GatheredAnswer {
  readonly #translated: TranslatedRequest;

  constructor(context: RelayContext, translated: TranslatedRequest) {
    super(context, MAX_ANSWER_BYTES);
    this.#translated = translated;
  }

  protected answerWith(bytes: Buffer): GatewayError | null {
    const { dialect, requestBody } = this.#translated;
    const body = parseJsonObject(bytes.toString('utf8'));
    if (body === null) return UNREADABLE_ANSWER;
    const rules = dialectRulesOf(dialect);
    const response = rules.isAnswer(body) ? codecOf(dialect).decodeResponse(body) : null;
    if (response === null) return errorInAnswer(dialect, body, this.context.redact);
    const { exchange, face, settlement, request, dropped } = this.context;
    settlement.noteServed(readServedTerms(body));
    const report = rules.decodeUsage(body);
    const metered = meterAnswer(this.context, report, writtenIn(body));
    const billed = metered.usage ?? NO_USAGE;
    const usage = showUsage(billed, report?.reasoningTokens ?? null);
    const answer = codecOf(face.dialect).encodeResponse(
      { ...response, usage },
      {
        requestId: exchange.requestId,
        model: request.model,
        nowSeconds: Math.floor(exchange.startedAtMs / 1000),
        requestBody,
      },
    );
    const text = JSON.stringify(answer);
    setDroppedParams(exchange, dropped);
    setDialectHeaders(exchange, face.dialect);
    settlement.settle({ status: 200, errorCode: null, ...metered }, (costNanoUsd) => {
      exchange.setHeader('x-tollgate-cost', formatUsd(costNanoUsd));
      exchange.send(200, JSON_TYPE, text);
    });
    return null;
  }
}
