import type { WindowsAnswer } from '@tollgate/core/runtime/replica-asks';

type WindowPair = WindowsAnswer['key'];
type Window = NonNullable<WindowPair['requests']>;

/** What is used of a window; more than its limit where several processes keep it separately. */
export interface UsedWindow {
  used: number;
  /** Time until the full limit is available without further requests. */
  freeInMs: number;
}

export interface UsedPair {
  requests: UsedWindow | null;
  tokens: UsedWindow | null;
}

export interface UsedWindows {
  keptBy: WindowsAnswer['keptBy'];
  key: UsedPair;
  account: UsedPair;
}

/**
 * Combines the reports of replicas. Redis reports the same to all. In memory, each replica counts what it admits, so
 * the sum is the usage. While Redis is down, each replica also counts the last known values of the others, so the
 * highest count is the best estimate.
 * @returns null if no replica has responded
 */
export function sumWindows(answers: readonly WindowsAnswer[]): UsedWindows | null {
  const shared = answers.find(({ keptBy }) => keptBy === 'redis');
  const counted = shared === undefined ? answers : [shared];
  const [first] = counted;
  if (first === undefined) return null;
  const isDegraded = counted.some(({ keptBy }) => keptBy === 'degraded');
  const join: Join = isDegraded ? (one, other) => Math.max(one, other) : (one, other) => one + other;
  return {
    keptBy: isDegraded ? 'degraded' : first.keptBy,
    key: joinPairs(
      counted.map(({ key }) => key),
      join,
    ),
    account: joinPairs(
      counted.map(({ account }) => account),
      join,
    ),
  };
}

type Join = (one: number, other: number) => number;

function joinPairs(pairs: readonly WindowPair[], join: Join): UsedPair {
  return {
    requests: joinWindows(
      pairs.map(({ requests }) => requests),
      join,
    ),
    tokens: joinWindows(
      pairs.map(({ tokens }) => tokens),
      join,
    ),
  };
}

function joinWindows(windows: readonly (Window | null)[], join: Join): UsedWindow | null {
  const known = windows.filter((window) => window !== null);
  if (known.length === 0) return null;
  return {
    used: known
      .map(({ limit, remaining }) => Math.max(0, limit - remaining))
      .reduce((one, other) => join(one, other)),
    freeInMs: Math.max(...known.map(({ resetMs }) => resetMs)),
  };
}
