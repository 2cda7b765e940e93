import { Buffer } from 'node:buffer';
import type { GatewayError } from '@tollgate/core/errors/errors';
import { formatUsd } from '@tollgate/core/money/money';
import { JSON_TYPE } from './content-types.ts';
import { GatheredAnswer, LARGE_ANSWER_BYTES } from './gathered-answer.ts';
import type { Metered } from './metered.ts';
import { readWhole, type AnswerTranslation, type ReadAnswer } from './read-whole.ts';
import type { Finished, RelayContext, ResponseHead, Taken } from './relay.ts';
import { setResponseHeaders } from './response-headers.ts';
import type { TranslatedRequest } from './translation.ts';
import { NO_MEMORY_FOR_ANSWER } from './upstream-failure.ts';

/** Relays a response that is not a stream: it waits for the end, since the cost goes into the headers. */
export class WholeRelay extends GatheredAnswer {
  readonly #status: number;
  readonly #translation: AnswerTranslation | null;
  #isReleased = false;
  /** The usage of a response that was read; null: not read yet. */
  #metered: Metered | null = null;

  /** @param translated null: passthrough */
  constructor(context: RelayContext, { status, header }: ResponseHead, translated: TranslatedRequest | null) {
    super(context, context.largeAnswers.maxBytes, Number(header('content-length') ?? 0) || 0);
    this.#status = translated === null ? status : 200;
    this.#translation = translated && getTranslation(context, translated);
  }

  override take(chunk: Buffer): Taken {
    const taken = super.take(chunk);
    if (this.collected.size > LARGE_ANSWER_BYTES) this.startOutline();
    return taken;
  }

  override finish(): Finished {
    const isLarge = this.refusal === null && this.size > LARGE_ANSWER_BYTES;
    return isLarge ? this.#finishInThread() : super.finish();
  }

  /** It stays known even if there is no memory for the response itself. */
  override meter(): Metered {
    return this.#metered ?? super.meter();
  }

  override release(): void {
    this.#isReleased = true;
    super.release();
  }

  protected override refuseRest(error: GatewayError): null {
    this.skipRest(error);
    return null;
  }

  protected answerWith(bytes: Buffer): GatewayError | null {
    const { spec, inputTokens, estimateInput, redact } = this.context;
    const translation = this.#translation;
    const carriesItems = this.#carriesItems;
    const read = readWhole(bytes, { spec, inputTokens, estimateInput, redact, translation, carriesItems });
    if (!read.ok) return read.error;
    const { text } = read.value;
    if (!this.collected.isReserved) return this.#give(read.value, text ?? bytes);
    const answer = text === null ? bytes : Buffer.from(text);
    return this.#givePieces(read.value, [answer]);
  }

  /** Its text has the ids of all items, so each can carry its own. */
  get #carriesItems(): boolean {
    return this.context.request.itemReferences !== undefined;
  }

  async #finishInThread(): Promise<() => GatewayError | null> {
    const { largeAnswers, key, spec, inputTokens, estimateInput, redactors } = this.context;
    // Measured here, because its inputs are not sent to the thread.
    const estimatedInput = estimateInput();
    this.readEnd();
    const pieces = this.collected.takePieces();
    const translation = this.#translation;
    const { endpoint } = spec;
    const carriesItems = this.#carriesItems;
    const source = {
      endpoint,
      inputTokens,
      estimatedInput,
      redactors: redactors(),
      translation,
      carriesItems,
    };
    const isWanted = () => !this.#isReleased;
    const read = await largeAnswers.read(pieces, source, { owner: key.accountId, isWanted });
    return () => (read.ok ? this.#givePieces(read.value, read.value.pieces) : read.error);
  }

  #givePieces(read: Omit<ReadAnswer, 'text'>, pieces: readonly Buffer[]): GatewayError | null {
    this.#metered = read.metered;
    const bytes = pieces.reduce((sum, piece) => sum + piece.buffer.byteLength, 0);
    return this.collected.reserve(bytes) === null ? this.#give(read, pieces) : NO_MEMORY_FOR_ANSWER;
  }

  #give({ served, metered }: Omit<ReadAnswer, 'text'>, answer: Buffer | string | readonly Buffer[]): null {
    const { exchange, settlement } = this.context;
    settlement.noteServed(served);
    setResponseHeaders(this.context);
    const showsCost = metered.usage !== null || this.#translation !== null;
    const release = this.collected.passOn();
    settlement.settle({ status: this.#status, errorCode: null, ...metered }, (costNanoUsd) => {
      if (showsCost) exchange.setHeader('x-tollgate-cost', formatUsd(costNanoUsd));
      if (isPieces(answer)) exchange.sendPieces(this.#status, JSON_TYPE, answer, release);
      else exchange.send(this.#status, JSON_TYPE, answer);
    });
    return null;
  }
}

function isPieces(answer: Buffer | string | readonly Buffer[]): answer is readonly Buffer[] {
  return Array.isArray(answer);
}

function getTranslation(
  { exchange, request }: RelayContext,
  { dialect, requestBody, stopSequences, upstreamModel }: TranslatedRequest,
): AnswerTranslation {
  return {
    from: dialect,
    requestId: exchange.requestId,
    model: upstreamModel,
    nowSeconds: Math.floor(exchange.startedAtMs / 1000),
    requestBody,
    stopSequences,
    carriesItems: request.itemReferences !== undefined,
  };
}
