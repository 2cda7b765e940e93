import type { Buffer } from 'node:buffer';
import type { GatewayError } from '@tollgate/core/errors/errors';
import { withoutQuotes } from '@tollgate/dialects/forbidden-cause';
import type { RelayRequest } from '@tollgate/dialects/relay-request';
import type { Outcome } from './outcome.ts';
import { repeatsRequest, SentLetters } from './repeats-request.ts';
import { BudgetPerSecond } from './budget-per-second.ts';

/** The search of a larger request takes too long for a record. */
const MAX_SEARCHED_BYTES = 256 * 1024;
/** For all requests of a second together, some per cent of the time of the event loop. */
const MAX_SECOND_BYTES = 4 * 1024 * 1024;
const BUDGET = new BudgetPerSecond(MAX_SECOND_BYTES);
/** No record has more of a message. */
const MAX_TEXT_LENGTH = 500;

/** The request as the caller sent it. */
export interface SentText {
  body: Buffer;
  request: Pick<RelayRequest, 'model'>;
}

/**
 * The part of a provider's message that may be recorded. Text that repeats the request is left out, because payloads are
 * stored only for accounts with request logging.
 * @returns null if nothing is left
 */
export function storableText(message: string, { body, request }: SentText): string | null {
  // The memory of an empty body has moved to a thread.
  if (body.length === 0 || body.length > MAX_SEARCHED_BYTES) return null;
  const letters = getLetters(request, body);
  if (letters === null) return null;
  const sent = { body, names: [request.model], letters };
  const text = message.slice(0, MAX_TEXT_LENGTH);
  if (repeatsRequest(text, sent) === false) return text;
  const rest = withoutQuotes(text);
  return repeatsRequest(rest, sent) === false ? rest : null;
}

/** By request: its messages are compared several times, and reading a large body takes milliseconds. */
const knownLetters = new WeakMap<object, SentLetters>();

/** @returns null if too much is searched at the moment */
function getLetters(request: object, body: Buffer): SentLetters | null {
  const known = knownLetters.get(request);
  if (known !== undefined) return known;
  if (!BUDGET.take(body.length)) return null;
  const letters = new SentLetters(body);
  knownLetters.set(request, letters);
  return letters;
}

/** The error of a request as it is recorded. */
export function recordedError(
  { message, param, isProviders }: Pick<GatewayError, 'message' | 'param' | 'isProviders'>,
  sent: SentText,
): NonNullable<Outcome['error']> | null {
  const stored = isProviders === true ? storableText(message, sent) : message;
  return stored === null ? null : { message: stored, ...(param !== undefined && { param }) };
}

/** The outcome of a request that failed. */
export function failedOutcome(
  error: GatewayError,
  sent: SentText,
  ended: Omit<Outcome, 'error' | 'errorCode'>,
): Outcome {
  return { ...ended, errorCode: error.code, error: recordedError(error, sent) };
}
