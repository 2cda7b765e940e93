import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createConversation } from '../bodies/conversation.ts';
import type { Contender } from '../subjects/contender.ts';
import type { AttackName } from '../hostile/attacks.ts';
import { startScript } from '../hostile/load-process.ts';
import { readCpuSeconds } from '../host/process-usage.ts';
import { startApi, type Api } from '../subjects/api-process.ts';
import { checkAnswer } from '../subjects/completion.ts';
import { profileFlags } from '../subjects/gateway.ts';
import type { InstantUpstream } from '../subjects/instant-upstream.ts';
import type { Harness } from '../subjects/subject.ts';
import { createProbe, type Probe } from './probe-client.ts';
import type { StallReport } from './stall-recorder.ts';

/** What a load did to the event loop of a contender, in each round. */
export interface StallRounds {
  /** The contender. */
  name: string;
  load: string;
  rounds: StallRound[];
}

interface StallRound extends StallReport {
  /** Share of a core that the api used: near 0, the load did not arrive. Bodies that are read in other threads count too. */
  cpuShare: number;
}

export interface StallOptions {
  upstream: InstantUpstream;
  attacks: readonly AttackName[];
  rounds: number;
  seconds: number;
  /** A load runs for so long before delays count. */
  warmupSeconds: number;
  profileDir: string | undefined;
  onProgress: (line: string) => void;
}

/** Valid bodies of agents, up to just below the limit of 32 MiB, and how many connections send them. */
const BODIES = [
  { name: '20 kB', bytes: 20_000, connections: 16 },
  { name: '200 kB', bytes: 200_000, connections: 16 },
  { name: '2 MB', bytes: 2_000_000, connections: 8 },
  { name: '32 MB', bytes: 32_000_000, connections: 2 },
] as const;
/** An attack has ended, and what it left behind is done, after so long. */
const SETTLE_MS = 500;

interface Load {
  name: string;
  /** The script and its arguments, for an api. */
  describe: (api: Api) => [script: string, args: string[]];
}

interface Probed {
  api: Api;
  probe: Probe;
}

/**
 * Takes the longest delays of the event loop of each contender under each load, which comes from a process on the other core. The delays are taken inside the api by a file that is loaded before its code.
 */
export async function measureStall(
  harness: Harness,
  contenders: readonly Contender[],
  options: StallOptions,
): Promise<StallRounds[]> {
  await using resources = new AsyncDisposableStack();
  const upstream = resources.use(startScript(harness.tools, 'attacked-upstream.ts', { args: [] }));
  const streams = `http://127.0.0.1:${String(await upstream.firstMessage())}/v1`;
  const { json: instant } = options.upstream;
  const upstreams = { instant, streams, firstByte: streams, delayed: instant };
  const probed: Probed[] = [];
  for (const [index, { source, createDatabase }] of contenders.entries()) {
    const database = await createDatabase({ name: 'stall', upstreams, meteredKeys: 1 });
    const probe = createProbe(path.join(harness.dir, `probe-${index}`));
    const profile = index === 0 ? profileFlags(options.profileDir) : [];
    const flags = { nodeFlags: [...probe.nodeFlags, ...profile], env: probe.env };
    const api = resources.use(await startApi(harness, source, database, flags));
    await checkAnswer(source.name, api.baseUrl, api.metered.headers);
    probed.push({ api, probe });
  }
  const loads = [
    ...BODIES.map((body) => describeBody(harness, body)),
    ...options.attacks.map(describeAttack),
  ];
  const results: StallRounds[] = [];
  for (const load of loads) {
    const rounds = probed.map((): StallRound[] => []);
    for (let round = 1; round <= options.rounds; round++)
      for (const [index, subject] of probed.entries()) {
        const report = await measureLoad(harness, subject, load, options);
        rounds[index]?.push(report);
        const { wallMs, cpuMs } = report.longest;
        const busiest = `${report.busiest.cpuMs.toFixed(1)} ms at most of the main thread`;
        options.onProgress(
          `stall ${round}/${options.rounds}  ${load.name}  ${subject.api.name}: ${wallMs.toFixed(1)} ms (${cpuMs.toFixed(1)} ms of the main thread), ${busiest}`,
        );
      }
    for (const [index, { api }] of probed.entries())
      results.push({ name: api.name, load: load.name, rounds: rounds[index] ?? [] });
  }
  return results;
}

async function measureLoad(
  harness: Harness,
  { api, probe }: Probed,
  load: Load,
  { seconds, warmupSeconds }: StallOptions,
): Promise<StallRound> {
  const [script, args] = load.describe(api);
  const report = await (async () => {
    await using sender = startScript(harness.tools, script, { args });
    const pause = (forSeconds: number) =>
      Promise.race([sleep(forSeconds * 1000, undefined, { signal: harness.signal }), sender.failed]);
    await pause(warmupSeconds);
    await probe.reset();
    const [usedBefore, startedMs] = [readCpuSeconds(api.pid), performance.now()];
    await pause(seconds);
    const cpuShare = (readCpuSeconds(api.pid) - usedBefore) / ((performance.now() - startedMs) / 1000);
    return { ...(await probe.read()), cpuShare };
  })();
  await sleep(SETTLE_MS, undefined, { signal: harness.signal });
  return report;
}

const getTarget = (api: Api) => [new URL(api.baseUrl).origin, api.metered.keys?.[0] ?? ''] as const;

function describeBody(harness: Harness, body: (typeof BODIES)[number]): Load {
  const { name, bytes, connections } = body;
  const file = path.join(harness.dir, `stall-${bytes}.json`);
  writeFileSync(file, createConversation({ model: 'bench-model', bytes, seed: 0 }));
  return {
    name: `${name}, ${connections} connections`,
    describe: (api) => ['../stall/sender.ts', [...getTarget(api), String(connections), file]],
  };
}

function describeAttack(name: AttackName): Load {
  return { name, describe: (api) => ['attacker.ts', [name, ...getTarget(api)]] };
}
