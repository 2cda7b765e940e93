import { costOf, NO_USAGE, type NanoUsd, type TokenUsage } from '@tollgate/core/money';
import type { MemoryLimits } from '@tollgate/limits/memory-limits';
import type { Price, Route } from '../catalogue/catalogue.ts';
import type { Exchange } from '../exchange.ts';
import type { CachedKey } from '../keys/key-cache.ts';
import type { RequestRecorder } from './request-recorder.ts';

/** nginx's status for a caller that left first; it is written down, never sent. */
const CLIENT_GONE_STATUS = 499;
const MAX_NAME_LENGTH = 200;

export interface SettlementContext {
  exchange: Exchange;
  key: CachedKey;
  endpoint: string;
  recorder: RequestRecorder;
  limits: MemoryLimits;
}

/** How a request ended. */
export interface Outcome {
  status: number;
  /** null: answered in full. */
  errorCode: string | null;
  usage?: TokenUsage | null;
  estimated?: boolean;
  /** What `costOf` says of the usage, where the caller has asked already. */
  costNanoUsd?: NanoUsd;
}

/** Collects what is known of a request on its way and records it exactly once, at its end. */
export class Settlement {
  readonly #context: SettlementContext;
  #price: Price | null = null;
  #route: Route | null = null;
  #model: string | null = null;
  #streamed = false;
  #firstByteMs: number | null = null;
  #isSettled = false;

  constructor(context: SettlementContext) {
    this.#context = context;
  }

  noteRequest(model: string, streamed: boolean): void {
    this.#model = storableName(model);
    this.#streamed = streamed;
  }

  noteRoute(route: Route, price: Price): void {
    this.#route = route;
    this.#price = price;
  }

  /** The first byte of the answer has come from the provider. */
  noteFirstByte(): void {
    this.#firstByteMs ??= Date.now() - this.#context.exchange.startedAtMs;
  }

  /** What a usage costs at the price of this request. */
  costOf(usage: TokenUsage | null): NanoUsd {
    return usage === null || this.#price === null ? 0n : costOf(usage, this.#price);
  }

  /** The caller left before its answer was complete. */
  settleGone(usage: TokenUsage | null, estimated: boolean): void {
    this.settle({ status: CLIENT_GONE_STATUS, errorCode: 'client_gone', usage, estimated });
  }

  settle(outcome: Outcome): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    const { exchange, key, endpoint, recorder, limits } = this.#context;
    const usage = outcome.usage ?? NO_USAGE;
    if (key.tpm !== null) limits.recordTokens(key.id, totalTokens(usage));
    recorder.add(
      {
        id: exchange.requestId,
        startedAtMs: exchange.startedAtMs,
        accountId: key.accountId,
        keyId: key.id,
        endpoint,
        model: this.#model,
        provider: this.#route?.provider.name ?? null,
        upstreamModel: this.#route?.upstreamModel ?? null,
        streamed: this.#streamed,
        status: outcome.status,
        errorCode: outcome.errorCode,
        ...usage,
        estimated: outcome.estimated ?? false,
        priceId: this.#price?.id ?? null,
        costNanoUsd: outcome.costNanoUsd ?? this.costOf(usage),
        latencyMs: Date.now() - exchange.startedAtMs,
        firstByteMs: this.#firstByteMs,
      },
      key.spend,
    );
  }
}

/** A name as a caller sent it, made fit for a text column: short, no NUL, no half of a surrogate pair. */
function storableName(name: string): string {
  return name.slice(0, MAX_NAME_LENGTH).replaceAll('\u0000', '\ufffd').toWellFormed();
}

function totalTokens(usage: TokenUsage): number {
  return usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens + usage.outputTokens;
}
