import type { Buffer } from 'node:buffer';
import type { GatewayError } from '@tollgate/core/errors';
import { measureEvents } from '@tollgate/dialects/usage/measure-events';
import type { PartialAnswer } from '@tollgate/dialects/usage/measure-partial';
import { GatheredAnswer } from './gathered-answer.ts';
import type { RelayContext, Taken } from './relay.ts';
import { UNREADABLE_ANSWER } from './upstream-failure.ts';

/** No more of such an answer is read. */
const MAX_BYTES = 1024 * 1024;

/**
 * An answer of the wrong kind: whole where a stream was asked for, or a stream where it was not. The caller gets none of
 * it. It is read for what the provider may charge.
 */
export class MisfitAnswer extends GatheredAnswer {
  readonly #isStream: boolean;

  /** @param isStream true: events came */
  constructor(context: RelayContext, isStream: boolean) {
    super(context, MAX_BYTES);
    this.#isStream = isStream;
  }

  protected override measure(bytes: Buffer): PartialAnswer {
    return this.#isStream ? measureEvents(bytes) : super.measure(bytes);
  }

  override take(chunk: Buffer): Taken {
    return super.take(chunk) === 'more' ? 'more' : UNREADABLE_ANSWER;
  }

  protected answerWith(): GatewayError {
    return UNREADABLE_ANSWER;
  }
}
