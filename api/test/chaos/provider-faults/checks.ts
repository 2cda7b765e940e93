import type { Check } from './scenario.ts';

/** The primary provider was called at least this often. */
export function hasRetried(): Check {
  return {
    name: 'retried at the same provider',
    isAdvisory: true,
    holds: ({ primaryMs }) => primaryMs.length >= 2,
  };
}

export function waitsAsRequested(): Check {
  return {
    name: 'waited as requested',
    isAdvisory: true,
    // Timers may be a little early, as in the original.
    holds: ({ primaryMs: [first, second] }, { retryAfterSeconds }) =>
      first !== undefined && second !== undefined && second - first >= retryAfterSeconds * 900,
  };
}

/** @param share of the requested wait */
export function isNoHammer(calls: number, share: number): Check {
  return {
    name: 'no tight loop of retries',
    holds: ({ primaryMs }, { retryAfterSeconds }) =>
      primaryMs.filter((ms) => ms < share * retryAfterSeconds * 1_000).length <= calls,
  };
}

export function hasCalls({ least = 0, most }: { least?: number; most: number }): Check {
  return {
    name: `${least} to ${most} calls of the primary provider`,
    holds: ({ primaryMs }) => primaryMs.length >= least && primaryMs.length <= most,
  };
}

/** A silent route is not called twice. */
export const CALLED_ONCE: Check = { ...hasCalls({ most: 1 }), isAdvisory: true };

export const NO_HANG: Check = { name: 'no hang', holds: ({ answer }) => answer.outcome !== 'hang' };

export const NO_TRUNCATED_RESPONSE: Check = {
  name: 'no truncated response',
  holds: ({ answer, isComplete }) => answer.outcome !== 'response' || isComplete,
};

export const IS_COMPLETE: Check = {
  name: 'complete',
  isAdvisory: true,
  holds: ({ answer, isComplete }) => answer.outcome === 'response' && isComplete,
};

export const IS_ALIVE: Check = { name: 'alive afterwards', holds: ({ isAliveAfter }) => isAliveAfter };

export const HAS_USAGE: Check = {
  name: 'usage reported',
  isAdvisory: true,
  holds: ({ answer }) => answer.hasUsage,
};

export const NAMES_FALLBACK: Check = {
  name: 'names the model that answered',
  holds: ({ answer, fallbackCalls, fallbackModel }) => fallbackCalls === 0 || answer.model === fallbackModel,
};

export const SHOWS_OWN_ERROR: Check = {
  name: 'no error of a prefill',
  holds: ({ answer, prefillRefusals }) => answer.outcome !== 'error' || prefillRefusals === 0,
};

export const SERVED_IN_OUTAGE: Check = {
  name: 'served during the outage',
  holds: ({ sequence }) =>
    sequence !== null && sequence.duringOutage > 0 && sequence.servedDuringOutage === sequence.duringOutage,
};

export const RECOVERED: Check = {
  name: 'returned to the primary provider',
  holds: ({ sequence }, { limits }) =>
    sequence !== null && sequence.recoveredAfterMs !== null && sequence.recoveredAfterMs <= limits.recovery,
};

/** @param limit which of the limits of the profile */
export function endsWithin(limit: 'prompt' | 'firstToken' | 'stall' | 'silence', isAdvisory = false): Check {
  return {
    name: `within the limit for: ${limit}`,
    ...(isAdvisory ? { isAdvisory: true } : {}),
    holds: ({ answer }, { limits }) => answer.outcome !== 'hang' && answer.elapsedMs <= limits[limit],
  };
}
