import type { CompletionEvent } from '@tollgate/core/completion/events';
import { TextMeter } from '@tollgate/dialects/usage/text-meter';
import type { UsageReport } from '@tollgate/dialects/usage/usage-report';
import { UNMETERED, type Metered } from '../metered.ts';
import { splitUsage, type ContinuedUsage, type Delivered } from './continued-usage.ts';

interface MeterOptions {
  /** Input that the provider reads in addition to the caller's, in tokens. */
  addedTokens: number;
  blocks: { readonly withheldTokens: number };
}

/** The usage of a stream that is continued. */
export type ContinuedMetered = Metered & { usage: NonNullable<Metered['usage']> };

/** Measures an attempt that continues a stream. */
export class ContinuedMeter {
  readonly #before: Delivered;
  readonly #options: MeterOptions;
  readonly #written = new TextMeter();
  readonly #hidden = new TextMeter();
  /** Pieces written when the provider last reported its output; -1: never. */
  #piecesReported = -1;

  constructor(before: Delivered, options: MeterOptions) {
    this.#before = before;
    this.#options = options;
  }

  note(event: CompletionEvent, report: UsageReport | null): void {
    switch (event.type) {
      case 'thinking_delta':
        this.#hidden.add(event.text);
        this.#written.add(event.text);
        return;
      case 'text_delta':
        return this.#written.add(event.text);
      case 'arguments_delta':
        return this.#written.add(event.json);
      case 'usage':
        if (report?.hasOutput === true) this.#piecesReported = this.#written.pieces;
        return;
      default:
    }
  }

  split(report: UsageReport | null): ContinuedUsage {
    const { addedTokens, blocks } = this.#options;
    return splitUsage(this.#before, {
      report,
      isFinal: this.#isFinal(report),
      writtenTokens: countTokens(this.#written),
      repeatedTokens: blocks.withheldTokens,
      hiddenTokens: countTokens(this.#hidden),
      addedTokens,
    });
  }

  /** All that is billed so far. A part of it is always estimated. */
  measure(report: UsageReport | null): ContinuedMetered {
    const usage = this.split(report).billed;
    const isFinal = this.#isFinal(report);
    return { ...UNMETERED, usage, estimated: true, isFinal, visibleTokens: usage.outputTokens };
  }

  /** A report of less than any tokenizer needs cannot be true. */
  #isFinal(report: UsageReport | null): boolean {
    const { pieces, leastTokens } = this.#written;
    return this.#piecesReported === pieces && (report?.usage.outputTokens ?? 0) >= leastTokens;
  }
}

function countTokens({ pieces, tokens }: TextMeter): number {
  return Math.max(pieces, tokens);
}
