import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Contender } from '../subjects/contender.ts';
import type { Api } from '../subjects/api-process.ts';
import { startApis } from '../subjects/apis.ts';
import type { InstantUpstream } from '../subjects/instant-upstream.ts';
import { STREAM_REQUEST } from '../subjects/sse-answer.ts';
import type { Harness, Subject } from '../subjects/subject.ts';
import { measureThroughput, type RoundsOptions, type SubjectRounds } from '../throughput/rounds.ts';
import { createConversation } from './conversation.ts';

/** One load, and what every subject made of it. */
export interface Scenario {
  name: string;
  connections: number;
  results: SubjectRounds[];
}

export interface ScenarioOptions extends Omit<RoundsOptions, 'connections'> {
  upstream: InstantUpstream;
  profileDir: string | undefined;
  quick: boolean;
}

/** Request bodies by size, and how many connections send them. */
const SIZES = [
  { name: '20 kB', bytes: 20_000, connections: 64 },
  { name: '200 kB', bytes: 200_000, connections: 64 },
  { name: '2 MB', bytes: 2_000_000, connections: 64 },
] as const;
/** A short round is over before 64 connections have their first answer to a large body. */
const QUICK_LARGE = { bytes: 1_000_000, connections: 8 };
/** Different bodies of a size, which are sent in turns: no server can keep the result of one. */
const BODIES_PER_SIZE = 8;

/** Sends conversations of agents with metered keys, size by size, to each contender in turns. */
export async function measureBodies(
  harness: Harness,
  contenders: readonly Contender[],
  options: ScenarioOptions,
): Promise<Scenario[]> {
  await using apis = await startApis(harness, contenders, { ...options, part: 'bodies' });
  const scenarios: Scenario[] = [];
  for (const { name, bytes, connections: most } of SIZES) {
    const connections = options.quick && bytes > QUICK_LARGE.bytes ? QUICK_LARGE.connections : most;
    options.onProgress(`bodies  ${name}`);
    const bodyFiles = Array.from({ length: BODIES_PER_SIZE }, (_, seed) => {
      const file = path.join(harness.dir, `body-${bytes}-${seed}.json`);
      writeFileSync(file, createConversation({ model: 'bench-model', bytes, seed }));
      return file;
    });
    const subjects = apis.all.map(({ metered }) => metered);
    const results = await measureThroughput(harness, subjects, { ...options, connections, bodyFiles });
    scenarios.push({ name, connections, results });
  }
  return scenarios;
}

/** Asks for streams whose 60 chunks come at once, without and with metering. */
export async function measureSse(
  harness: Harness,
  contenders: readonly Contender[],
  options: ScenarioOptions,
): Promise<Scenario[]> {
  await using apis = await startApis(harness, contenders, { ...options, part: 'sse' });
  const kinds: [string, (api: Api) => Subject][] = [
    ['unmetered', (api) => api],
    ['metered', (api) => api.metered],
  ];
  const scenarios: Scenario[] = [];
  for (const [name, choose] of kinds) {
    options.onProgress(`sse  ${name}`);
    const load = { ...options, connections: 64, body: STREAM_REQUEST };
    scenarios.push({
      name,
      connections: load.connections,
      results: await measureThroughput(harness, apis.all.map(choose), load),
    });
  }
  return scenarios;
}
