/** A visible page asks every two seconds; the limit allows several open windows. */
const MAX_ASKS = 60;
const WINDOW_MS = 10_000;
const MAX_SESSIONS = 10_000;

/** How often a session may query the API replicas. */
export interface AskPace {
  /** Counts one. @returns 0, or after how many milliseconds it may be tried again */
  take(sessionHashHex: string): number;
}

export function createAskPace(nowMs: () => number = () => performance.now()): AskPace {
  const counts = new Map<string, { sinceMs: number; asks: number }>();
  return {
    take(sessionHashHex) {
      const now = nowMs();
      const count = counts.get(sessionHashHex);
      if (count !== undefined && now - count.sinceMs < WINDOW_MS) {
        if (count.asks >= MAX_ASKS) return count.sinceMs + WINDOW_MS - now;
        count.asks += 1;
        return 0;
      }
      // Re-inserting moves the entry to the end: the first entry expires first.
      counts.delete(sessionHashHex);
      counts.set(sessionHashHex, { sinceMs: now, asks: 1 });
      const [first] = counts.keys();
      if (counts.size > MAX_SESSIONS && first !== undefined) counts.delete(first);
      return 0;
    },
  };
}
