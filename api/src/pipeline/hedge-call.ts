import type { Buffer } from 'node:buffer';
import type { Dialect } from '@tollgate/core/models/dialect';
import { hasContent } from '@tollgate/dialects/content-start';
import type { UpstreamFailure, UpstreamListener } from '@tollgate/upstreams/transport/transport';
import {
  failureOfAnswer,
  failureOfConnection,
  failureOfStatus,
  type AttemptFailure,
} from './attempt-failure.ts';
import type { EndpointSpec } from '../endpoints.ts';
import { isEventStream } from './content-types.ts';
import { MAX_OPENING_BYTES } from './relay.ts';
import { UNREADABLE_ANSWER } from './upstream-failure.ts';

/** The part of an event that may be needed to recognize content in the next chunk. */
const TAIL_CHARACTERS = 256;
/** Memory that a piece takes in addition to its bytes. */
const PIECE_BYTES = 256;

/** Callbacks of the request that the call belongs to. */
export interface HedgeListener {
  /** The first content has arrived. */
  hedgeHasContent(): void;
  hedgeFailed(failure: AttemptFailure): void;
}

interface HedgeOptions {
  listener: HedgeListener;
  /** Of the provider's response. */
  dialect: Dialect;
  spec: Pick<EndpointSpec, 'judgeStatus'>;
}

/** Buffers the response of a second call until it has content, or until the first call is given up. */
export class HedgeCall implements UpstreamListener {
  readonly #options: HedgeOptions;
  readonly #events: ((listener: UpstreamListener) => void)[] = [];
  #bytes = 0;
  #tail = '';
  #isReady = false;
  /** Gets the events once this call is to answer; null: not yet. */
  #taker: UpstreamListener | null = null;

  constructor(options: HedgeOptions) {
    this.#options = options;
  }

  /** Passes all events on, also the events that have arrived already. */
  passTo(taker: UpstreamListener): void {
    this.#taker = taker;
    for (const pass of this.#events.splice(0)) pass(taker);
  }

  onStart(status: number, header: (name: string) => string | null): void {
    if (this.#taker !== null) return this.#taker.onStart(status, header);
    const { listener, spec } = this.#options;
    const verdict = spec.judgeStatus(status);
    if (verdict !== 'answered') return listener.hedgeFailed(failureOfStatus(status, verdict, header));
    if (status >= 300 || !isEventStream(header))
      return listener.hedgeFailed(failureOfAnswer(UNREADABLE_ANSWER, 'unreadable', status));
    this.#events.push((taker) => taker.onStart(status, header));
  }

  onData(chunk: Buffer): void {
    if (this.#taker !== null) return this.#taker.onData(chunk);
    this.#events.push((taker) => taker.onData(chunk));
    this.#bytes += chunk.length + PIECE_BYTES;
    if (this.#isReady) return;
    const text = this.#tail + chunk.toString('latin1');
    this.#tail = text.slice(-TAIL_CHARACTERS);
    this.#isReady = this.#bytes > MAX_OPENING_BYTES || hasContent(this.#options.dialect, text);
    if (this.#isReady) this.#options.listener.hedgeHasContent();
  }

  onEnd(): void {
    if (this.#taker !== null) return this.#taker.onEnd();
    this.#options.listener.hedgeFailed(failureOfAnswer(UNREADABLE_ANSWER, 'unreadable', null));
  }

  onError(failure: UpstreamFailure): void {
    if (this.#taker !== null) return this.#taker.onError(failure);
    this.#options.listener.hedgeFailed(failureOfConnection(failure, null));
  }
}
