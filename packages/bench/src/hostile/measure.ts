import { setTimeout as sleep } from 'node:timers/promises';
import { goFirst, keepAwake } from '../host/steady-cores.ts';
import { readMemoryMb } from '../host/process-usage.ts';
import { runOpenLoop } from '../latency/open-loop.ts';
import { percentile } from '../statistics.ts';
import { encodeRequest } from '../subjects/completion.ts';
import type { DatabaseServer } from '../subjects/database-server.ts';
import { createBenchDatabase, type GatewayUpstreams } from '../subjects/gateway-database.ts';
import { startGateway } from '../subjects/gateway.ts';
import type { Stage } from '../subjects/subject.ts';
import { ATTACKS } from './attacks.ts';
import { startWithLowPriority } from './low-priority-process.ts';

const REQUESTS_PER_SECOND = 100;
/** An attack is on its way, and one that has ended has left nothing behind, after so long. */
const SETTLE_MS = 1_500;
const SAMPLE_MS = 50;

interface Times {
  p50Ms: number;
  p99Ms: number;
}

/** One kind of attack by one key: the times of another tenant before and meanwhile. */
export interface HostileResult {
  name: string;
  quiet: Times;
  attacked: Times;
  /** Resident memory of the gateway in MB, at most. */
  peakMb: number;
}

export interface HostileOptions {
  upstreams: GatewayUpstreams;
  /** Of each measurement. */
  seconds: number;
  onProgress: (line: string) => void;
}

/**
 * Measures what one tenant's attacks do to another tenant's requests: a fixed rate of small requests to a provider that
 * answers after 20 ms, before and during each kind of attack, on a gateway and a database of its own.
 */
export async function measureHostile(
  stage: Stage,
  server: DatabaseServer,
  { upstreams, seconds, onProgress }: HostileOptions,
): Promise<HostileResult[]> {
  await using resources = new AsyncDisposableStack();
  const attacked = resources.use(startWithLowPriority(stage.tools, 'attacked-upstream.ts', []));
  const streams = `http://127.0.0.1:${String(await attacked.firstMessage())}/v1`;
  const database = resources.use(
    await createBenchDatabase(server, {
      name: 'hostile',
      upstreams: { ...upstreams, streams },
      meteredKeys: 2,
    }),
  );
  const gateway = resources.use(await startGateway(stage, database, undefined));
  const [, attackerKey] = database.meteredKeys;
  const url = new URL(`${gateway.metered.baseUrl}/chat/completions`);
  const measure = async (forSeconds: number): Promise<Times> => {
    const { times } = await runOpenLoop({
      url,
      headers: gateway.metered.headers,
      body: encodeRequest('bench-delayed'),
      requestsPerSecond: REQUESTS_PER_SECOND,
      seconds: forSeconds,
      signal: stage.signal,
    });
    return { p50Ms: percentile(times, 0.5), p99Ms: percentile(times, 0.99) };
  };
  using awake = keepAwake();
  using first = goFirst(stage.tools);
  if (awake === null || first === null)
    onProgress('hostile  only root can put the client before the attackers: times are longer');
  onProgress('hostile  warming up');
  await measure(seconds);
  const results: HostileResult[] = [];
  for (const name of Object.keys(ATTACKS)) {
    const quiet = await measure(seconds);
    using memory = sampleMemory(gateway.pid);
    {
      const args = [name, url.origin, attackerKey?.secret ?? ''];
      await using attack = startWithLowPriority(stage.tools, 'attacker.ts', args);
      await sleep(SETTLE_MS, undefined, { signal: stage.signal });
      const times = await Promise.race([measure(seconds), attack.failed]);
      results.push({ name, quiet, attacked: times, peakMb: memory.peakMb() });
      onProgress(
        `hostile  ${name}: p99 ${quiet.p99Ms.toFixed(1)} ms, under attack ${times.p99Ms.toFixed(1)} ms`,
      );
    }
    await sleep(SETTLE_MS, undefined, { signal: stage.signal });
  }
  return results;
}

function sampleMemory(pid: number) {
  let peakMb = 0;
  const sample = () => (peakMb = Math.max(peakMb, readMemoryMb(pid).now));
  sample();
  const timer = setInterval(sample, SAMPLE_MS);
  return { peakMb: () => peakMb, [Symbol.dispose]: () => clearInterval(timer) };
}

/** How much slower the other tenant's slowest requests were in the worst attack, and the most memory of any. */
export function worstOf(results: readonly HostileResult[]): { riseP99Ms: number; peakMb: number } {
  return {
    riseP99Ms: Math.max(...results.map(({ quiet, attacked }) => attacked.p99Ms - quiet.p99Ms)),
    peakMb: Math.max(...results.map(({ peakMb }) => peakMb)),
  };
}
