import type { Buffer } from 'node:buffer';
import type { GatewayError } from '@tollgate/core/errors';
import { formatUsd } from '@tollgate/core/money';
import { codecOf } from '@tollgate/dialects/codec';
import { asObject, parseJsonObject } from '@tollgate/dialects/json/parse-object';
import { tokensOfBytes } from '@tollgate/dialects/input-tokens/tokens-of-bytes';
import { setDialectHeaders } from '../errors/send-error.ts';
import { setDroppedParams } from './dropped-params.ts';
import { GatheredAnswer, MAX_ANSWER_BYTES } from './gathered-answer.ts';
import type { RelayContext } from './relay.ts';
import type { TranslatedRequest } from './translation.ts';
import { errorOfKind, UNREADABLE_ANSWER } from './upstream-failure.ts';

/** Brings an answer that is no stream in another dialect than the provider's. */
export class WholeTranslation extends GatheredAnswer {
  readonly #translated: TranslatedRequest;

  constructor(context: RelayContext, translated: TranslatedRequest) {
    super(context, MAX_ANSWER_BYTES);
    this.#translated = translated;
  }

  protected answerWith(bytes: Buffer): GatewayError | null {
    const body = parseJsonObject(bytes.toString('utf8'));
    if (body === null) return UNREADABLE_ANSWER;
    const codec = codecOf(this.#translated.dialect);
    const response = codec.decodeResponse(body);
    if (response === null) {
      // Some providers report a failure with the status of a success.
      if (asObject(body['error']) === null) return UNREADABLE_ANSWER;
      const { kind, message } = codec.decodeError(500, body);
      return errorOfKind(kind, this.context.redact(message));
    }
    const { exchange, face, settlement, request, inputTokens } = this.context;
    const usage = response.usage ?? {
      inputTokens,
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
      outputTokens: tokensOfBytes(bytes.length),
      reasoningTokens: null,
      cacheWrite1hTokens: 0,
    };
    const answer = codecOf(face.dialect).encodeResponse(
      { ...response, usage },
      {
        requestId: exchange.requestId,
        model: request.model,
        nowSeconds: Math.floor(exchange.startedAtMs / 1000),
        requestBody: this.#translated.requestBody,
      },
    );
    const estimated = response.usage === null;
    settlement.settle({ status: 200, errorCode: null, usage, estimated });
    exchange.setHeader('x-tollgate-cost', formatUsd(settlement.billFor(usage)));
    setDroppedParams(exchange, this.context.dropped);
    setDialectHeaders(exchange, face.dialect);
    exchange.send(200, 'application/json', JSON.stringify(answer));
    return null;
  }
}
