import { Buffer } from 'node:buffer';
import type { GatewayError } from '@tollgate/core/errors/errors';
import { CONTENT_START } from '@tollgate/dialects/content-start';
import type { JsonObject } from '@tollgate/dialects/json/parse-object';
import { needsCarrier } from '@tollgate/dialects/openai-responses/carried/keeps-items';
import { StreamCarrier } from '@tollgate/dialects/openai-responses/carried/stream-carrier';
import { idStem } from '@tollgate/dialects/openai-responses/envelope';
import type { EventStore } from '@tollgate/dialects/sse/event-store';
import type { StreamRules } from '@tollgate/dialects/stream-rules';
import { StreamTap } from '@tollgate/dialects/stream-tap';
import type { Passage } from '@tollgate/dialects/tap-options';
import { getErrorFormat } from '../errors/render-error.ts';
import { AnswerStore } from './answer-store.ts';
import { meterAnswer, UNMETERED, type Metered } from './metered.ts';
import { MAX_OPENING_BYTES, refuse, takeTurn, type Relay, type RelayContext, type Taken } from './relay.ts';
import type { Outcome } from './outcome.ts';
import { failedOutcome } from './stored-text.ts';
import { BROKEN_STREAM, findOpeningError, UNREADABLE_ANSWER } from './upstream-failure.ts';

/** After the terminator, a provider may only report its usage. One that goes on with more than this is cut off. */
const MAX_LATE_BYTES = 64 * 1024;

/**
 * Relays a stream event by event; a broken end never looks like a clean one. Events before the first
 * content are buffered, so that the request can still fail over to another route.
 */
export class StreamRelay implements Relay {
  readonly #context: RelayContext;
  readonly #status: number;
  readonly #rules: StreamRules;
  readonly #tap: StreamTap;
  /** null: the caller does not refer to items. */
  readonly #carrier: StreamCarrier | null;
  /** Events before the first content, large ones in their stores. */
  #opening: Passage[] = [];
  #openingBytes = 0;
  /** The terminator or an error was sent, or waits in `#last`. */
  #hasEnded = false;
  /** The events with the terminator, until the settlement or a checkpoint is kept; empty: none. */
  #last = '';
  /** The response ends with the write for which the terminator waits. */
  #isEnding = false;
  #lateBytes = 0;
  hasBegun = false;
  #hasText = false;
  /** Another attempt continues the stream in place of its error. */
  #isToContinue = false;
  readonly isStream = true;
  readonly takesLent = true;
  /** The last measurement, and the inspections of the tap that it covers. */
  #measured: Metered | null = null;
  #measuredInspections = 0;
  onReady?: (() => void) | null;

  constructor(context: RelayContext, status: number) {
    this.#context = context;
    this.#status = status;
    const openStore = () => new AnswerStore(context);
    this.#carrier = createCarrier(context);
    context.continuation?.begin(null);
    const onItem = (item: JsonObject | null) => this.#carrier?.add(item);
    this.#rules = context.spec.streamRules(context.request);
    this.#tap = new StreamTap(
      this.#rules,
      context.redact,
      this.#carrier === null ? { openStore } : { openStore, onItem },
    );
  }

  get isComplete(): boolean {
    return this.#tap.terminated || (this.#tap.sawError && this.hasBegun && !this.#isToContinue);
  }

  take(chunk: Buffer): Taken {
    if (this.#tap.terminated) this.#lateBytes += chunk.length;
    const passed = this.#tap.push(chunk);
    const { settlement } = this.#context;
    settlement.noteServed(this.#tap.served);
    if (!this.#hasText && this.#tap.meter.pieces > 0) {
      this.#hasText = true;
      settlement.noteFirstText();
    }
    const taken = passed === null ? 'more' : this.#relay(passed);
    // Nothing after an error is part of the response, except its repetition.
    const { sawError, awaitsRepeat } = this.#tap;
    if (typeof taken !== 'object' && sawError && !awaitsRepeat && this.hasBegun) return BROKEN_STREAM;
    if (this.#lateBytes > MAX_LATE_BYTES && this.hasBegun) return BROKEN_STREAM;
    return taken === 'more' && this.#tap.isInLargeEvent ? takeTurn(this, this.#context, chunk.length) : taken;
  }

  finish(): GatewayError | null {
    const { rest, isClean } = this.#tap.finish();
    this.#context.settlement.noteServed(this.#tap.served);
    if (!isClean) return BROKEN_STREAM;
    const taken = this.#pass(this.#carryItems(rest));
    if (typeof taken === 'object') return taken;
    if (!this.hasBegun) {
      const error = this.#findError(true);
      if (error !== null) return error;
      this.#begin();
    }
    const { settlement, exchange } = this.#context;
    this.#isEnding = true;
    const last = this.#takeLast();
    settlement.settle(this.#outcome(), () => {
      if (last !== '') exchange.writeLatin1(last, true);
      exchange.end();
    });
    return null;
  }

  release(): void {
    this.#tap.release();
    releaseAll(this.#opening);
    this.#opening = [];
  }

  fail(error: GatewayError, metered: Metered): void {
    const { exchange, spec, settlement } = this.#context;
    if (!this.hasBegun) return refuse(this.#context, error, metered);
    const event = getErrorFormat(spec.dialect).event(error, exchange.requestId);
    settlement.settle(failedOutcome(error, this.#context, { status: this.#status, ...metered }), () => {
      exchange.write(event);
      exchange.end();
    });
  }

  conclude(): boolean {
    return this.hasBegun && this.#context.continuation?.conclude(this.meter()) === true;
  }

  startDrain(): void {
    // Nothing to do: writes to a response that has ended are discarded.
  }

  meter(): Metered {
    if (!this.hasBegun && this.#openingBytes === 0) return UNMETERED;
    const { isReportFinal } = this.#tap;
    const metered = this.#measure();
    return { ...metered, isFinal: isReportFinal, estimated: metered.estimated || !isReportFinal };
  }

  /** Measures again only after another event: the checkpoint at the end and the settlement share one measurement. */
  #measure(): Metered {
    const { inspections, report, outputTokens, tokensSinceReport, meter, tools } = this.#tap;
    if (this.#measured !== null && inspections === this.#measuredInspections) return this.#measured;
    const written = { outputTokens, leastOutputTokens: meter.leastTokens, tokensSinceReport, tools };
    this.#measuredInspections = inspections;
    this.#measured = meterAnswer(this.#context, report, written);
    return this.#measured;
  }

  #carryItems(passed: Passage | readonly Passage[]): Passage | readonly Passage[] {
    return this.#carrier !== null && this.#tap.terminated ? this.#carrier.insert(passed) : passed;
  }

  #relay(passed: Passage | readonly Passage[]): Taken {
    const broken = this.#context.continuation?.watch(passed) ?? null;
    if (broken === null) return this.#pass(this.#carryItems(passed));
    this.#isToContinue = true;
    const taken = this.#pass(broken.before);
    return typeof taken === 'object' ? taken : broken.error;
  }

  #pass(passed: Passage | readonly Passage[]): Taken {
    if (!this.hasBegun) return this.#open(passed);
    if (typeof passed === 'string') return this.#write(passed);
    if ('add' in passed) return this.#writeLarge(passed);
    let taken: Taken = 'more';
    for (const passage of passed) {
      const next = this.#pass(passage);
      if (typeof next === 'object') return next;
      if (next === 'wait') taken = 'wait';
    }
    return taken;
  }

  #open(passed: Passage | readonly Passage[]): Taken {
    const passages = typeof passed === 'string' || 'add' in passed ? [passed] : passed;
    this.#opening.push(...passages);
    for (const passage of passages) this.#openingBytes += getSize(passage);
    const { sawError, terminated, meter, lastEvents } = this.#tap;
    const hasContent = meter.pieces > 0 || CONTENT_START[this.#context.spec.dialect].test(lastEvents);
    if (sawError || (terminated && !hasContent)) {
      const error = this.#findError(terminated);
      if (error !== null) return error;
    } else if (!hasContent && this.#openingBytes <= MAX_OPENING_BYTES) return 'more';
    else if (!this.#hasStart()) return UNREADABLE_ANSWER;
    return this.#begin() ? 'more' : 'wait';
  }

  /** True if the response begins with an event that may be its first. */
  #hasStart(): boolean {
    const { start } = this.#rules;
    if (start === undefined) return true;
    for (const passage of this.#opening) {
      const found = typeof passage === 'string' ? start.exec(passage) : null;
      if (found !== null) return found[1] !== undefined;
    }
    return false;
  }

  /** Sends the headers and buffered events. @returns false if the caller reads too slowly */
  #begin(): boolean {
    this.hasBegun = true;
    this.#context.stream.open(this.#context, this.#status);
    const opening = this.#opening;
    this.#opening = [];
    return opening.map((passage) => this.#pass(passage)).every((taken) => taken !== 'wait');
  }

  #outcome(): Outcome {
    const errorCode = this.#tap.sawError ? 'upstream_error' : null;
    return { status: this.#status, errorCode, ...this.#measure() };
  }

  #write(events: string): Taken {
    return this.#send(events) ? 'more' : 'wait';
  }

  #writeLarge(event: EventStore): Taken {
    const { exchange } = this.#context;
    const release = () => event.release();
    return this.#sendWith(() => exchange.writePieces(event.pieces(), release)) ? 'more' : 'wait';
  }

  /** @returns false if the caller reads too slowly; also true if the write waits for the end of the turn */
  #send(events: string): boolean {
    const { exchange } = this.#context;
    if (!this.#tap.isOver) return exchange.writeLatin1(events);
    if (this.#hasEnded || this.#tap.sawError) return this.#sendKept(events);
    // Usually the response ends in the same read: then its settlement needs no checkpoint before it.
    this.#hasEnded = true;
    this.#last = events;
    queueMicrotask(() => this.#sendLastAlone());
    return true;
  }

  #sendKept(events: string): boolean {
    const { exchange } = this.#context;
    return this.#sendWith(() => exchange.writeLatin1(events, this.#isEnding));
  }

  /** The response has its terminator, and goes on. Never throws: nothing above would catch it. */
  #sendLastAlone(): void {
    try {
      this.#sendLast();
    } catch {
      // The events wait for the settlement, which reports its own error.
    }
  }

  #sendLast(): void {
    if (this.#last === '') return;
    this.#context.settlement.checkpoint(this.#outcome());
    this.#sendKept(this.#takeLast());
  }

  #takeLast(): string {
    const last = this.#last;
    this.#last = '';
    return last;
  }

  #sendWith(write: () => boolean): boolean {
    if (!this.#tap.isOver) return write();
    this.#sendLast();
    const { settlement } = this.#context;
    // A caller treats the terminator or an error as the end, even if the connection stays open.
    if (!this.#hasEnded) settlement.checkpoint(this.#outcome());
    this.#hasEnded = true;
    let hasRoom = true;
    settlement.whenKept(() => (hasRoom = write()));
    return hasRoom;
  }

  #findError(isOver: boolean): GatewayError | null {
    const { spec, redact } = this.#context;
    const events = this.#opening.filter((passage) => typeof passage === 'string');
    // Of a large event, only the outline is read.
    if (typeof this.#opening.at(-1) === 'object') events.push(this.#tap.lastEvents);
    return findOpeningError(spec.dialect, Buffer.from(events.join(''), 'latin1'), { isOver, redact });
  }
}

function getSize(passage: Passage): number {
  if (typeof passage === 'string') return passage.length;
  return passage.pieces().reduce((sum, { length }) => sum + length, 0);
}

function releaseAll(passages: readonly Passage[]): void {
  for (const passage of passages) if (typeof passage !== 'string') passage.release();
}

function createCarrier({ request, exchange }: RelayContext): StreamCarrier | null {
  if (!needsCarrier(request.itemReferences, exchange.header('user-agent'))) return null;
  return new StreamCarrier(idStem(exchange.requestId));
}
