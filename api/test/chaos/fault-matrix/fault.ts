import type { Call, Cell } from './cell.ts';
import type { Plan } from './plan.ts';
import type { Said } from './said.ts';

/**
 * How a request must end.
 * - `first`: the complete response of the provider with the fault
 * - `second`: the complete response of the second provider
 * - `error`: an error in the caller's dialect, and nothing else; nothing is billed
 * - `ended`: a part of the response and the error event of the dialect; at most the part is billed
 */
export type End = 'first' | 'second' | 'error' | 'ended';

/** How a cell must end. */
export interface Expected {
  end: End;
  /** The same without a second provider. Default: `error` in place of `second`. */
  alone?: End;
  /** True: the usage cannot be known, so it is estimated from what was delivered. */
  isEstimated?: boolean;
  /** What the caller must get of the faulty provider, if it differs from what the provider meant to say. */
  said?: Said;
}

/** What a provider can do wrong in one way. */
export interface Fault {
  name: string;
  /**
   * Changes a correct response, or names an address that does not respond.
   * @returns null: nothing is sent, and the connection stays open
   */
  provoke: Address | ((plan: Plan, call: Call) => Plan | null);
  expected(cell: Cell): Expected;
  /** What the provider means to say. Default: a text with characters of several bytes. */
  said?: Said;
  /** True: the fault is the caller's, so the route must not count as failing. */
  isCallers?: true;
  /** True: it needs its own server, and its first request, which succeeds, is not judged. */
  isWarmed?: true;
  /** True: it consists of waiting. */
  isSlow?: true;
}

/** An address of a provider that does not respond. */
export type Address =
  | 'black-hole'
  | 'closed-port'
  | 'unknown-name'
  | 'self-signed'
  | 'plain-http'
  | 'tls-reset'
  | 'tls-silent';

/** Both kinds of response end in the same way. */
export function always(end: End, more: Omit<Expected, 'end'> = {}): Fault['expected'] {
  return () => ({ end, ...more });
}

/** Streams end in one way, whole responses in another one. */
export function either(stream: End | Expected, whole: End | Expected): Fault['expected'] {
  const open = (given: End | Expected): Expected => (typeof given === 'string' ? { end: given } : given);
  return ({ isStream }) => open(isStream ? stream : whole);
}
