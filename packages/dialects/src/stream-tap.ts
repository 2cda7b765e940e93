import { Buffer } from 'node:buffer';
import type { ServedTerms } from '@tollgate/core/money/rates/rate-need';
import { isEmptyMember } from './json/is-empty-member.ts';
import { leftOutBytes } from './json/left-out.ts';
import { asObject, parseJsonObject } from './json/parse-object.ts';
import { redactErrors } from './json/redact-errors.ts';
import { readServedTerms } from './served/read-served-terms.ts';
import { readServedEvents } from './served/read-served-events.ts';
import { ServedScan } from './served/served-scan.ts';
import { cutAfterEnd, findRepeatedError } from './sse/cut-after-end.ts';
import { cleanEvents, UNREADABLE_EVENT } from './sse/clean-events.ts';
import { readEventAround } from './sse/event-around.ts';
import { EventBlocks, type Block } from './sse/event-blocks.ts';
import { endOfEvent } from './sse/event-end.ts';
import { createEventStore } from './sse/event-store.ts';
import { patchEvent } from './sse/patch-event.ts';
import { redactEvent } from './sse/redact-event.ts';
import { mayRepeat, RepeatedEvent } from './sse/repeated-event.ts';
import { replaceEvents, type ReplacedEvent } from './sse/replace-events.ts';
import { TopMembers } from './sse/top-members.ts';
import type { StreamRules } from './stream-rules.ts';
import { findLateReport } from './usage/late-report.ts';
import { StreamTail } from './stream-tail.ts';
import type { Passage, TapOptions } from './tap-options.ts';
import type { TextMeter } from './usage/text-meter.ts';
import { TextSinceReport } from './usage/text-since-report.ts';
import { ToolTally } from './usage/tool-tally.ts';
import type { UsageReport } from './usage/usage-report.ts';
import { withToolCalls } from './usage/with-tool-calls.ts';
import { WrittenMembers } from './usage/written-members.ts';

const REDACTED = '[redacted]';
/** Events of a block that are inspected alone, as the next ones may be repetitions of them. */
const MAX_ALONE = 2;

/**
 * Watches a stream of the caller's own dialect as it is relayed: finds usage and errors without parsing every
 * chunk, and lets whole events through alone, so that a cut never leaves half an event in front of the error event.
 */
export class StreamTap {
  readonly #rules: StreamRules;
  readonly #redact: (text: string) => string;
  readonly #blocks: EventBlocks;
  /** The events that came last; of a large one, its outline. One character for each byte: a buffer would keep its memory. */
  lastEvents = '';
  readonly #tail = new StreamTail();
  readonly #members = new WrittenMembers();
  readonly #written = this.#members.written;
  readonly #repeated = new RepeatedEvent();
  /** The calls of server tools that were seen. */
  readonly tools = new ToolTally();
  readonly #sinceReport = new TextSinceReport(this.#written);
  #reported: UsageReport | null = null;
  #isFinal = false;
  /** Number of blocks of events that were inspected: while it stays the same, so does everything else. */
  inspections = 0;
  /** The provider sent the dialect's own error event. */
  sawError = false;
  terminated = false;
  /** Terms that the provider reported; later events replace earlier values. */
  served: ServedTerms | null = null;
  readonly #servedScan = new ServedScan();
  readonly #onItem: TapOptions['onItem'];
  #isOutline = false;

  /** @param redact takes credentials out of the texts of error events */
  constructor(
    rules: StreamRules,
    redact: (text: string) => string = (text) => text,
    { openStore = createEventStore, largeBytes, onItem }: TapOptions = {},
  ) {
    this.#rules = rules;
    this.#onItem = onItem;
    this.#redact = (text) => (leftOutBytes(text) === null ? redact(text) : REDACTED);
    this.#blocks = new EventBlocks(openStore, largeBytes);
  }

  /** True: the stream is in the middle of a large event. */
  get isInLargeEvent(): boolean {
    return this.#blocks.isLarge;
  }

  /**
   * Takes a chunk as it came from the provider, and keeps nothing of its memory.
   * @returns what goes to the caller now, null if there is nothing yet. Text has one character for each byte (latin1): the tap
   *   reads the bytes as text anyway, so the sender need not convert them a second time. A large event stays in its store
   * @throws OversizeEventError if one event is larger than 64 MiB
   */
  push(chunk: Buffer): string | null | readonly Passage[] {
    const blocks = this.#blocks.push(chunk);
    if (blocks === null) return null;
    return Buffer.isBuffer(blocks) ? this.#inspectEvents(blocks) : this.#inspectAll(blocks);
  }

  /**
   * The provider closed the stream in order.
   * @returns what was held back for want of a blank line, as `push` gives it, with the terminator if it is missing, and
   *   whether the stream ended well
   */
  finish(): { rest: readonly Passage[]; isClean: boolean } {
    // An event is complete only with its blank line, but a last `data: [DONE]` often comes without.
    const held = this.#blocks.finish();
    const rest = held === null ? null : this.#inspectBlock(held);
    const ending = this.isOver ? '' : this.#tail.finish(this.#rules, (rest ?? '') !== '');
    if (ending === null) {
      if (typeof rest === 'object') rest?.release();
      return { rest: [], isClean: false };
    }
    this.terminated ||= ending !== '';
    return { rest: [rest ?? '', ending].filter((passage) => passage !== ''), isClean: true };
  }

  /** Frees the memory of an event that is not whole. */
  release(): void {
    this.#blocks.release();
  }

  /** The response is complete, or has failed. What follows is billed, and not passed on. */
  get isOver(): boolean {
    return this.terminated || this.sawError;
  }

  /** The provider sent an error, and may repeat it in the event that ends the stream. */
  get awaitsRepeat(): boolean {
    return this.sawError && !this.terminated && this.#rules.afterError !== undefined;
  }

  /** Everything that the model wrote. */
  get meter(): TextMeter {
    return this.#written.meter;
  }

  /** The usage that the provider has reported so far; null: none. */
  get report(): UsageReport | null {
    return withToolCalls(this.#reported, this.#members.citesWeb ? { web_search: 1 } : null);
  }

  /** True: what was reported covers the whole answer, and nothing was written since. */
  get isReportFinal(): boolean {
    return this.#isFinal && this.tokensSinceReport === 0;
  }

  /** All that the model wrote, in tokens: by its length, and never less than one for each delta. */
  get outputTokens(): number {
    const { pieces, tokens } = this.meter;
    return Math.max(pieces, tokens);
  }

  /** The same for what it wrote since the provider last reported usage. */
  get tokensSinceReport(): number {
    return this.#sinceReport.tokens;
  }

  #inspectAll(blocks: readonly Block[]): readonly Passage[] {
    return blocks.map((block) => this.#inspectBlock(block)).filter((passage) => passage !== null);
  }

  /** Of a large event, only the outline is inspected. */
  #inspectBlock(block: Block): Passage | null {
    if (Buffer.isBuffer(block)) return this.#inspectEvents(block);
    const { event, store } = block;
    const outline = Buffer.from(event.text);
    this.#isOutline = true;
    const seen = this.#inspectEvents(outline);
    this.#isOutline = false;
    if (seen === outline.toString('latin1') && event.isRead) return store;
    return patchEvent(block, seen);
  }

  #inspectEvents(block: Buffer): string | null {
    const text = block.toString('latin1');
    let passed = '';
    let at = 0;
    for (let alone = 0; at < text.length && !this.isOver; alone++) {
      const repeatedEnd = this.#repeated.skip(block, text, at);
      if (repeatedEnd > at) {
        const events = text.slice(at, repeatedEnd);
        this.inspections += 1;
        this.lastEvents = events;
        this.#tail.push(events, true, this.#rules);
        passed += events;
        at = repeatedEnd;
        if (at === text.length) break;
      }
      const end = alone < MAX_ALONE && !this.#isOutline ? endOfEvent(text, at) : text.length;
      passed += this.#inspect(at === 0 && end === text.length ? block : block.subarray(at, end)) ?? '';
      at = end;
    }
    if (at < text.length) passed += this.#inspectLate(text.slice(at)) ?? '';
    return passed === '' ? null : passed;
  }

  /** What comes after the end is not passed on, except the event that repeats an error. */
  #inspectLate(events: string): string | null {
    const repeated = this.awaitsRepeat ? findRepeatedError(events, this.#rules) : null;
    if (repeated !== null) return this.#inspect(repeated);
    this.#readLate(events);
    return null;
  }

  /** After a terminator, a later report of the usage counts. */
  #readLate(events: string): void {
    const report = this.sawError ? null : findLateReport(events, this.#rules, this.#reported);
    if (report === null) return;
    this.inspections += 1;
    this.#reported = report;
    this.#isFinal = report.hasOutput;
    this.#sinceReport.noteReported();
  }

  #inspect(given: Buffer): string | null {
    this.inspections += 1;
    let replaced: ReplacedEvent[] | null = null;
    // One character for each byte, so that offsets into the text are offsets into the block.
    const received = given.toString('latin1');
    const cleaned = cleanEvents(received, this.#rules, this.#redact);
    if (cleaned === '') return null;
    const terminatorAt = this.#rules.findTerminator(cleaned);
    const text = terminatorAt >= 0 ? cutAfterEnd(cleaned, this.#rules, terminatorAt) : cleaned;
    const block = text === received ? given : Buffer.from(text, 'latin1');
    this.#members.begin();
    this.lastEvents = text;
    const piecesBefore = this.#written.pieces;
    if (terminatorAt >= 0) this.terminated ||= text === cleaned || this.#rules.findTerminator(text) >= 0;
    const changes = this.#servedScan.findChanges(text);
    this.served = readServedEvents(block, changes, this.served);
    const { keys } = this.#rules;
    const top = this.#rules.hasTopText === true ? new TopMembers(block, text) : null;
    keys.lastIndex = 0;
    let reportEnd = Infinity;
    let inspectedEnd = 0;
    let end = Infinity;
    for (let found = keys.exec(text); found !== null && found.index < end; found = keys.exec(text)) {
      if (found.index >= reportEnd) {
        this.#sinceReport.noteReported();
        reportEnd = Infinity;
      }
      const isName = found[4] !== undefined;
      if (isName || found[1] !== undefined) {
        // A line end in front of a name belongs to the event before it.
        const at = keys.lastIndex - 1;
        // OpenAI writes `"usage":null` into every chunk but one, and `"output":[]` at the beginning.
        if (at < inspectedEnd || (!isName && isEmptyMember(block, keys.lastIndex))) continue;
        this.#members.noteOther();
        const seen = this.#inspectEvent(block, at);
        inspectedEnd = seen.span.end;
        // The report covers the text of its event, before and after it.
        if (seen.isReport) reportEnd = seen.span.end;
        if (seen.isEnd) end = seen.span.end;
        if (seen.replacement === null) continue;
        (replaced ??= []).push({ ...seen.span, text: seen.replacement });
        keys.lastIndex = seen.span.end;
      } else if (found[2] !== undefined) keys.lastIndex = this.#members.skip(block, found, keys.lastIndex);
      else if (top === null || top.has(found.index))
        keys.lastIndex = this.#members.count(block, found, keys.lastIndex);
    }
    if (reportEnd !== Infinity) this.#sinceReport.noteReported();
    this.#tail.push(text, this.#written.pieces > piecesBefore, this.#rules);
    const { onlyText } = this.#members;
    const isKnown = onlyText !== null && block === given && !this.isOver && !this.#isOutline;
    if (isKnown && mayRepeat(text, this.#rules)) this.#repeated.learn(text, onlyText);
    else this.#repeated.forget();
    const shown = text.slice(0, end);
    const passed = replaced === null ? shown : replaceEvents(shown, replaced);
    return this.isOver ? passed + (this.#inspectLate(cleaned.slice(shown.length)) ?? '') : passed;
  }

  #addItem(item: unknown): void {
    this.#written.addItem(item);
    this.#onItem?.(this.#isOutline ? null : asObject(redactErrors(item, this.#redact)));
  }

  #inspectEvent(block: Buffer, at: number) {
    const span = readEventAround(block, at);
    const event = parseJsonObject(span.data);
    // It was inspected like any other event: its further members are not.
    if (event === null) {
      this.sawError = true;
      return { span, replacement: this.#rules.writeError(UNREADABLE_EVENT), isReport: false, isEnd: true };
    }
    this.served = readServedTerms(event, this.served);
    const facts = this.#rules.readEvent(event, this.#reported, span.name);
    const { report, isFinal, isError, hide, isEnd, items } = facts;
    this.#reported = report ?? this.#reported;
    if (report !== null) this.#isFinal = isFinal && report.hasOutput;
    this.tools.readEvent(event);
    if (report !== null && this.#isFinal) this.tools.noteReported();
    this.sawError ||= isError;
    this.terminated ||= isEnd === true;
    if (items?.from === 'item') for (const item of items.output) this.#addItem(item);
    else if (items !== undefined) this.#written.addWhole({ output: items.output });
    const replacement = hide ? '' : redactEvent(block, span, { event, isError }, this.#redact);
    return { span, replacement, isReport: report?.hasOutput === true, isEnd: isError || isEnd === true };
  }
}
