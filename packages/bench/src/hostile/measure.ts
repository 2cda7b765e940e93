import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { readMemoryMb } from '../host/process-usage.ts';
import { runOpenLoop } from '../latency/open-loop.ts';
import { percentile } from '../statistics.ts';
import { encodeRequest } from '../subjects/completion.ts';
import type { DatabaseServer } from '../subjects/database-server.ts';
import { createBenchDatabase, type GatewayUpstreams } from '../subjects/gateway-database.ts';
import { startGateway } from '../subjects/gateway.ts';
import type { Stage } from '../subjects/subject.ts';
import { ATTACKS } from './attacks.ts';

const ATTACKER = fileURLToPath(new URL('attacker.ts', import.meta.url));
const REQUESTS_PER_SECOND = 100;
/** An attack is on its way, and one that has ended has left nothing behind, after so long. */
const SETTLE_MS = 1_500;
const SAMPLE_MS = 50;
/** The attackers come last on the core that they share with the client whose times are taken. */
const NICE = '19';

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
  const database = resources.use(
    await createBenchDatabase(server, { name: 'hostile', upstreams, meteredKeys: 2 }),
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
  onProgress('hostile  warming up');
  await measure(seconds);
  const results: HostileResult[] = [];
  for (const name of Object.keys(ATTACKS)) {
    const quiet = await measure(seconds);
    using memory = sampleMemory(gateway.pid);
    const stop = startAttack([name, url.origin, attackerKey?.secret ?? '']);
    try {
      await sleep(SETTLE_MS, undefined, { signal: stage.signal });
      const attacked = await measure(seconds);
      results.push({ name, quiet, attacked, peakMb: memory.peakMb() });
      onProgress(
        `hostile  ${name}: p99 ${quiet.p99Ms.toFixed(1)} ms, under attack ${attacked.p99Ms.toFixed(1)} ms`,
      );
    } finally {
      await stop();
    }
    await sleep(SETTLE_MS, undefined, { signal: stage.signal });
  }
  return results;
}

function startAttack(args: string[]): () => Promise<void> {
  const child = spawn('nice', ['-n', NICE, process.execPath, ATTACKER, ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const gone = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  return async () => {
    child.kill('SIGKILL');
    await gone;
  };
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
