import { BODY_LIMITS } from '@tollgate/core/requests/body-limits';
import type { GatewayError } from '@tollgate/core/errors/errors';
import { listCountedModels } from './list-counted-models.ts';
import { TokenizerUnavailable } from '@tollgate/dialects/input-tokens/tokenizer-thread';
import type { HoldOutcome } from '@tollgate/ledger/pending-hold';
import type { Logger } from 'pino';
import type { Route } from '../catalogue/route.ts';
import type { DescribeInput } from '../endpoints.ts';
import type { CachedKey } from '../keys/key-cache.ts';
import type { FallbackModels } from './fallback-models.ts';
import type { ForwardSource } from './forwarded-request.ts';
import { holdRefusal } from './hold-refusal.ts';
import type { RequestHold } from './request-hold.ts';
import type { Settlement } from './settlement.ts';
import { BROKEN_GATEWAY } from './upstream-failure.ts';

export interface AdmissionContext extends ForwardSource {
  key: CachedKey;
  consoleUrl: string | null;
  describeInput: DescribeInput;
  /** null: nothing limits what the key spends. */
  hold: RequestHold | null;
  routes: readonly Route[];
  /** null: none. */
  fallbacks: FallbackModels | null;
  settlement: Settlement;
  log: Logger;
}

/** Callbacks of the request being admitted. */
export interface AdmissionOwner {
  /** A provider may be called now; its response is buffered until the admission is open. */
  begin(): void;
  /** The provider's response may go to the caller. */
  open(): void;
  /** The running provider call must be cancelled; `begin` may follow again. */
  withdraw(): void;
  refuse(error: GatewayError): void;
}

/**
 * Ensures that a request is paid for before its caller receives anything. With plenty of budget left, the provider is
 * called at the same time; otherwise only after the hold is granted, and only for an affordable amount.
 */
export class Admission {
  readonly #context: AdmissionContext;
  readonly #owner: AdmissionOwner;
  #isOver = false;
  isOpen: boolean;

  constructor(context: AdmissionContext, owner: AdmissionOwner) {
    this.#context = context;
    this.#owner = owner;
    this.isOpen = context.hold === null;
  }

  start(): void {
    const { hold, settlement } = this.#context;
    settlement.noteAdmitted();
    if (hold === null) {
      this.#owner.begin();
      return;
    }
    settlement.hold = hold;
    this.#limitOutput(hold.bounds.maxOutputTokens);
    if (!hold.isPlentiful) {
      void this.#holdFirst(hold);
      return;
    }
    hold.ask(true, (outcome) => this.#answerError(() => this.#handleOutcome(hold, outcome)));
    this.#owner.begin();
  }

  /** The provider has responded: only the admission still delays the caller. */
  hurry(): void {
    this.#context.settlement.noteHoldWait();
    this.#context.hold?.hurry();
  }

  /** The request is over: later outcomes are ignored. */
  end(): void {
    this.#isOver = true;
  }

  /** Handles the hold outcome of a request already sent to a provider. */
  #handleOutcome(hold: RequestHold, outcome: HoldOutcome): void {
    if (this.#isOver) return;
    if (outcome.ok) {
      this.#noteGranted(hold, outcome.grantedNanoUsd);
      this.#showLimit(hold);
      this.isOpen = true;
      this.#owner.open();
      return;
    }
    this.#owner.withdraw();
    // The caller has disconnected.
    if (this.#isOver) return;
    // A smaller hold may be enough, and only that much is left.
    if (
      outcome.reason === 'budget_exceeded' ||
      outcome.reason === 'insufficient_balance' ||
      outcome.reason === 'reserved'
    )
      void this.#holdFirst(hold);
    else this.#refuse(outcome, hold);
  }

  async #holdFirst(hold: RequestHold): Promise<void> {
    this.#context.settlement.noteHoldWait();
    const inputTokens = await this.#countInput(hold);
    if (this.#isOver) return;
    this.#answerError(() => {
      if (inputTokens !== null) hold.refine(inputTokens);
      hold.ask(false, (outcome) => this.#answerError(() => this.#handleFirstOutcome(hold, outcome)));
    });
  }

  #handleFirstOutcome(hold: RequestHold, outcome: HoldOutcome): void {
    if (this.#isOver) return;
    if (!outcome.ok) {
      this.#refuse(outcome, hold);
      return;
    }
    this.#noteGranted(hold, outcome.grantedNanoUsd);
    this.#limitOutput(hold.outputTokensFor(outcome.grantedNanoUsd));
    this.#showLimit(hold);
    this.isOpen = true;
    this.#owner.begin();
  }

  #noteGranted(hold: RequestHold, grantedNanoUsd: bigint): void {
    hold.noteGranted(grantedNanoUsd);
    this.#context.settlement.noteGranted(grantedNanoUsd);
  }

  /** The ledger only logs what its callbacks throw: the request must still be answered, and its hold released. */
  #answerError(callback: () => void): void {
    try {
      callback();
    } catch (error) {
      const { log, exchange } = this.#context;
      log.error({ err: error, requestId: exchange.requestId }, 'a request failed after its hold was decided');
      this.#owner.refuse(BROKEN_GATEWAY);
    }
  }

  /**
   * Counts the input as the route counts it that counts most: any of them may answer.
   * @returns null for input that is only referenced or too large: it cannot be counted
   */
  async #countInput(hold: RequestHold): Promise<number | null> {
    const { spec, routes, fallbacks, log, exchange, request, body } = this.#context;
    if (hold.hasUnboundedInput || body.length > BODY_LIMITS.maxCountedBytes) return null;
    try {
      let most = 0;
      const all = fallbacks === null ? routes : [...routes, ...fallbacks.routes];
      for (const model of listCountedModels(all, request.model)) {
        const inputTokens = await spec.countInput(this.#context, model);
        if (inputTokens === null) return null;
        most = Math.max(most, inputTokens);
      }
      return most;
    } catch (error) {
      // The bound from the body size stays in use.
      if (error instanceof TokenizerUnavailable) return null;
      log.error({ err: error, requestId: exchange.requestId }, 'the input of a request could not be counted');
      return null;
    }
  }

  /** Every provider request names the maximum that the hold covers. Embeddings have no output. */
  #limitOutput(outputLimit: number): void {
    this.#context.outputLimit = outputLimit === 0 ? null : outputLimit;
  }

  /** Reports a maximum lower than requested to the caller. */
  #showLimit(hold: RequestHold): void {
    const { outputLimit, exchange, fallbacks } = this.#context;
    if (outputLimit === null || !hold.isLowered(outputLimit)) return;
    if (fallbacks === null) exchange.setHeader('x-tollgate-max-tokens', String(outputLimit));
    else fallbacks.lowerLimit = outputLimit;
  }

  #refuse(refused: Extract<HoldOutcome, { ok: false }>, hold: RequestHold): void {
    this.#owner.refuse(holdRefusal(refused, hold, this.#context));
  }
}
