import { mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fastTempFolder } from '@tollgate/testing/fast-temp-folder';
import { goFirst, keepAwake } from '../host/steady-cores.ts';
import { readMemoryMb } from '../host/process-usage.ts';
import { runOpenLoop } from '../latency/open-loop.ts';
import { median, percentile } from '../statistics.ts';
import { encodeRequest } from '../subjects/completion.ts';
import { startDatabaseServer } from '../subjects/database-server.ts';
import { createBenchDatabase, type GatewayUpstreams } from '../subjects/gateway-database.ts';
import { startGateway } from '../subjects/gateway.ts';
import type { Harness } from '../subjects/subject.ts';
import type { AttackName } from './attacks.ts';
import { startWithLowPriority } from './load-process.ts';

const REQUESTS_PER_SECOND = 100;
/** An attack is on its way, and one that has ended has left nothing behind, after so long. */
const SETTLE_MS = 1_500;
const SAMPLE_MS = 50;

interface Times {
  p50Ms: number;
  p99Ms: number;
}

/** The times of another tenant before an attack and during it. */
interface Round {
  quiet: Times;
  attacked: Times;
}

/** One kind of attack by one key. */
export interface HostileResult {
  name: string;
  rounds: Round[];
  /** Resident memory of the gateway in MB, at most. */
  peakMb: number;
}

export interface HostileOptions {
  upstreams: GatewayUpstreams;
  attacks: readonly AttackName[];
  profileDir: string | undefined;
  /** Each measures without the attack and then during it. */
  rounds: number;
  /** Of each measurement. */
  seconds: number;
  onProgress: (line: string) => void;
}

/**
 * Measures what one tenant's attacks do to another tenant's requests: a fixed rate of small requests to a provider that
 * answers after 20 ms, before and during each kind of attack, several times, on a separate gateway and database. Both keep
 * their files in memory if there is enough: a slow disk delays every tenant, with or without an attack.
 */
export async function measureHostile(
  host: Harness,
  { upstreams, attacks, profileDir, rounds, seconds, onProgress }: HostileOptions,
): Promise<HostileResult[]> {
  await using resources = new AsyncDisposableStack();
  const dir = mkdtempSync(path.join(fastTempFolder(), 'tollgate-bench-'));
  resources.defer(() => rmSync(dir, { recursive: true, force: true }));
  const harness: Harness = { ...host, dir };
  const server = resources.use(await startDatabaseServer(dir));
  const upstream = resources.use(startWithLowPriority(harness.tools, 'attacked-upstream.ts', []));
  const streams = `http://127.0.0.1:${String(await upstream.firstMessage())}/v1`;
  const database = resources.use(
    await createBenchDatabase(server, {
      name: 'hostile',
      upstreams: { ...upstreams, streams },
      meteredKeys: 2,
    }),
  );
  const gateway = resources.use(await startGateway(harness, database, profileDir));
  const [, attackerKey] = database.meteredKeys;
  const url = new URL(`${gateway.metered.baseUrl}/chat/completions`);
  const measure = async (forSeconds: number): Promise<Times> => {
    const { times } = await runOpenLoop({
      url,
      headers: gateway.metered.headers,
      body: encodeRequest('bench-delayed'),
      requestsPerSecond: REQUESTS_PER_SECOND,
      seconds: forSeconds,
      signal: harness.signal,
    });
    return { p50Ms: percentile(times, 0.5), p99Ms: percentile(times, 0.99) };
  };
  using awake = keepAwake();
  using first = goFirst(harness.tools);
  if (awake === null || first === null)
    onProgress('hostile  only root can put the client before the attackers: times are longer');
  onProgress('hostile  warming up');
  await measure(seconds);
  const measureAttack = async (name: string): Promise<Times> => {
    const args = [name, url.origin, attackerKey?.secret ?? ''];
    await using attack = startWithLowPriority(harness.tools, 'attacker.ts', args);
    await sleep(SETTLE_MS, undefined, { signal: harness.signal });
    return await Promise.race([measure(seconds), attack.failed]);
  };
  const results: HostileResult[] = [];
  for (const name of attacks) {
    using memory = sampleMemory(gateway.pid);
    const measured: Round[] = [];
    for (let round = 1; round <= rounds; round++) {
      const quiet = await measure(seconds);
      const attacked = await measureAttack(name);
      measured.push({ quiet, attacked });
      const during = `during the attack ${attacked.p99Ms.toFixed(1)} ms`;
      onProgress(`hostile ${round}/${rounds}  ${name}: p99 ${quiet.p99Ms.toFixed(1)} ms, ${during}`);
      await sleep(SETTLE_MS, undefined, { signal: harness.signal });
    }
    results.push({ name, rounds: measured, peakMb: memory.peakMb() });
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

/** How much an attack raises the p99 of the other tenant in each round, in milliseconds. */
export function p99Rises({ rounds }: HostileResult): number[] {
  return rounds.map(({ quiet, attacked }) => attacked.p99Ms - quiet.p99Ms);
}

/**
 * The rise of the p99 in the worst attack, and the most memory of any. The rise of an attack is the median of its rounds:
 * a stall of the disk delays all requests of one measurement, with or without an attack.
 */
export function findWorst(results: readonly HostileResult[]): { riseP99Ms: number; peakMb: number } {
  return {
    riseP99Ms: Math.max(...results.map((result) => median(p99Rises(result)))),
    peakMb: Math.max(...results.map(({ peakMb }) => peakMb)),
  };
}
