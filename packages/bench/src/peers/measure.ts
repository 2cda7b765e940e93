import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { createConversation } from '../bodies/conversation.ts';
import { readMemoryMb } from '../host/process-usage.ts';
import { startApis } from '../subjects/apis.ts';
import type { Contender } from '../subjects/contender.ts';
import type { InstantUpstream } from '../subjects/instant-upstream.ts';
import { STREAM_REQUEST } from '../subjects/sse-answer.ts';
import type { Harness, Subject } from '../subjects/subject.ts';
import {
  measureThroughput,
  speedRatio,
  type RoundsOptions,
  type SubjectRounds,
} from '../throughput/rounds.ts';
import { startPeer, type PeerName } from './peers.ts';

const CONNECTIONS = 64;
const BODY_BYTES = 200_000;

type Load = 'json' | 'sse' | 'body';

/** What a peer made of a load, or why there is no figure. */
export type PeerFigure =
  | { kind: 'measured'; peer: SubjectRounds; metered: SubjectRounds; ratio: number }
  | { kind: 'failed'; reason: string };

export interface PeerResult {
  name: string;
  /** What it does for a request. */
  note: string;
  memoryMb: number;
  figures: Record<Load, PeerFigure>;
}

export interface PeersOptions extends Omit<RoundsOptions, 'connections'> {
  upstream: InstantUpstream;
  peers: readonly PeerName[];
}

/** Measures one peer after the other on the core under test, each in turns with the metered gateway. */
export async function measurePeers(
  harness: Harness,
  contender: Contender,
  options: PeersOptions,
): Promise<PeerResult[]> {
  const { upstream, peers, onProgress } = options;
  await using apis = await startApis(harness, [contender], {
    upstream,
    profileDir: undefined,
    part: 'peers',
  });
  const metered = apis.all[0]?.metered;
  if (metered === undefined) throw new Error('The gateway was not started');
  const bodyFile = path.join(harness.dir, 'peer-body.json');
  writeFileSync(bodyFile, createConversation({ model: 'bench-model', bytes: BODY_BYTES, seed: 0 }));
  const results: PeerResult[] = [];
  for (const name of peers) {
    onProgress(`peers  starting ${name}; the first time it is installed`);
    const result = await attempt(async () => {
      await using peer = await startPeer(name, harness, upstream);
      const compare = (subject: Subject, load: object) =>
        attempt(() => compareWith(harness, subject, metered, { ...options, ...load }));
      const json = await compare(peer.json, {});
      const sse = await compare(peer.sse, { body: STREAM_REQUEST });
      const body = await compare(peer.json, { bodyFiles: [bodyFile] });
      const memoryMb = readMemoryMb(peer.json.pid).now;
      return { name, note: peer.note, memoryMb, figures: { json, sse, body } };
    });
    if ('kind' in result) onProgress(`peers  ${name}: ${result.reason}`);
    results.push('kind' in result ? describeMissing(name, result) : result);
  }
  return results;
}

async function compareWith(
  harness: Harness,
  subject: Subject,
  metered: Subject,
  options: Omit<RoundsOptions, 'connections'>,
): Promise<PeerFigure> {
  const load = { ...options, connections: CONNECTIONS };
  const [peer, own] = await measureThroughput(harness, [subject, metered], load);
  if (peer === undefined || own === undefined) throw new Error('A subject was not measured');
  return { kind: 'measured', peer, metered: own, ratio: speedRatio(own, peer) };
}

/** A peer that cannot be installed or does not answer is a result too. */
async function attempt<T>(measure: () => Promise<T>): Promise<T | { kind: 'failed'; reason: string }> {
  try {
    return await measure();
  } catch (error) {
    return { kind: 'failed', reason: error instanceof Error ? error.message : String(error) };
  }
}

function describeMissing(name: string, failed: { kind: 'failed'; reason: string }): PeerResult {
  const figures = { json: failed, sse: failed, body: failed };
  return { name, note: 'not measured', memoryMb: Number.NaN, figures };
}
