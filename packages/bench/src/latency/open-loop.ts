import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';

export interface OpenLoopLoad {
  /** Where requests are posted. */
  url: URL;
  headers: Record<string, string>;
  body: string;
  requestsPerSecond: number;
  seconds: number;
  signal: AbortSignal;
}

/** Connections are opened in this time, before times count. */
const RAMP_SECONDS = 0.5;

export interface OpenLoopResult {
  /** Answered, those before times counted included. */
  requests: number;
  /** From when a request was due to the end of its answer, in milliseconds. */
  times: number[];
}

/**
 * Sends requests on a schedule, whether or not the ones before are answered. A time counts from when its request was
 * due: one that had to wait, here or for a slow answer, is as late as its caller would find it.
 * @throws Error where an answer is none of status 200
 */
export async function runOpenLoop(load: OpenLoopLoad): Promise<OpenLoopResult> {
  const { url, requestsPerSecond, seconds } = load;
  const pool = new Pool(url.origin, { pipelining: 1 });
  const headers = { ...load.headers, 'content-type': 'application/json' };
  const times: number[] = [];
  // One answer that failed ends all of it.
  const failed = new AbortController();
  const signal = AbortSignal.any([load.signal, failed.signal]);
  let answered = 0;
  const ask = async (dueMs: number, counts: boolean) => {
    const answer = await pool.request({
      path: url.pathname,
      method: 'POST',
      headers,
      body: load.body,
      signal,
    });
    const text = await answer.body.text();
    if (counts) times.push(performance.now() - dueMs);
    answered += 1;
    if (answer.statusCode !== 200) throw new Error(`${url.href} answered ${answer.statusCode}: ${text}`);
  };
  const running: Promise<void>[] = [];
  const ramp = requestsPerSecond * RAMP_SECONDS;
  const total = ramp + requestsPerSecond * seconds;
  const startedMs = performance.now();
  try {
    for (let index = 0; index < total; index++) {
      const dueMs = startedMs + (index / requestsPerSecond) * 1000;
      const restMs = dueMs - performance.now();
      signal.throwIfAborted();
      // Never early: what is sent before it is due would look quicker than it was.
      if (restMs > 0) await sleep(Math.ceil(restMs), undefined, { signal });
      const asked = ask(dueMs, index >= ramp);
      asked.catch((error: unknown) => failed.abort(error));
      running.push(asked);
    }
    await Promise.all(running);
  } finally {
    await pool.destroy();
  }
  return { requests: answered, times };
}
