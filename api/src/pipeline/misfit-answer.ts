import type { Buffer } from 'node:buffer';
import type { GatewayError } from '@tollgate/core/errors/errors';
import type { Dialect } from '@tollgate/core/models/dialect';
import { parseJsonObject } from '@tollgate/dialects/json/parse-object';
import { measureEvents } from '@tollgate/dialects/usage/measure-events';
import type { PartialAnswer } from '@tollgate/dialects/usage/measure-partial';
import { GatheredAnswer } from './gathered-answer.ts';
import type { RelayContext } from './relay.ts';
import { errorInAnswer, OVERSIZE_ANSWER, UNREADABLE_ANSWER } from './upstream-failure.ts';

/** Read limit for such a response. */
const MAX_BYTES = 1024 * 1024;

/**
 * A response of the wrong kind: whole although a stream was requested, or the reverse. The caller receives only the error
 * that a whole response reports. It is read for what the provider may charge.
 */
export class MisfitAnswer extends GatheredAnswer {
  readonly #isStream: boolean;
  readonly #dialect: Dialect;

  /**
   * @param isStream true: the provider sent events
   * @param dialect the provider's
   */
  constructor(context: RelayContext, isStream: boolean, dialect: Dialect) {
    super(context, MAX_BYTES);
    this.#isStream = isStream;
    this.#dialect = dialect;
  }

  protected override measure(bytes: Buffer): PartialAnswer {
    return this.#isStream ? measureEvents(bytes) : super.measure(bytes);
  }

  protected override refuseRest(error: GatewayError): GatewayError {
    return error === OVERSIZE_ANSWER ? UNREADABLE_ANSWER : error;
  }

  protected answerWith(bytes: Buffer): GatewayError {
    const body = this.#isStream ? null : parseJsonObject(bytes.toString('utf8'));
    return body === null ? UNREADABLE_ANSWER : errorInAnswer(this.#dialect, body, this.context.redact);
  }
}
