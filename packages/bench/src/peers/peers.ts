import type { InstantUpstream } from '../subjects/instant-upstream.ts';
import { startPortkey } from '../subjects/portkey.ts';
import type { Harness } from '../subjects/subject.ts';
import { startLitellm } from './litellm.ts';
import type { PeerServer } from './peer.ts';

/** Another gateway, which the benchmark installs if it must, starts and ends. */
type StartPeer = (harness: Harness, upstream: InstantUpstream) => Promise<PeerServer>;

const PEERS = {
  async portkey(harness, upstream) {
    await using resources = new AsyncDisposableStack();
    const json = resources.use(await startPortkey(harness, upstream.json));
    const sse = { ...json, headers: { ...json.headers, 'x-portkey-custom-host': upstream.sse } };
    const owned = resources.move();
    return {
      json,
      sse,
      note: 'checks no key, records nothing',
      [Symbol.asyncDispose]: () => owned.disposeAsync(),
    };
  },
  litellm: startLitellm,
} satisfies Record<string, StartPeer>;

export type PeerName = keyof typeof PEERS;

export const PEER_NAMES = Object.keys(PEERS);

export const isPeer = (name: string): name is PeerName => Object.hasOwn(PEERS, name);

export function startPeer(name: PeerName, harness: Harness, upstream: InstantUpstream): Promise<PeerServer> {
  return PEERS[name](harness, upstream);
}
