import { startApi, type Api } from './api-process.ts';
import type { Contender } from './contender.ts';
import { profileFlags } from './gateway.ts';
import type { InstantUpstream } from './instant-upstream.ts';
import type { Harness } from './subject.ts';

/** Large bodies have as many tokens as a key may use in a minute, so that several keys send them in turns. */
const METERED_KEYS = 8;

interface StartOptions {
  upstream: InstantUpstream;
  profileDir: string | undefined;
  /** The name of the databases. */
  part: string;
}

/** An api of each contender, on a new database. */
export async function startApis(
  harness: Harness,
  contenders: readonly Contender[],
  { upstream, profileDir, part }: StartOptions,
): Promise<AsyncDisposable & { all: readonly Api[] }> {
  await using resources = new AsyncDisposableStack();
  const { json: instant, sse: streams } = upstream;
  const upstreams = { instant, streams, firstByte: instant, delayed: instant };
  const all: Api[] = [];
  for (const { source, createDatabase } of contenders) {
    const database = await createDatabase({ name: part, upstreams, meteredKeys: METERED_KEYS });
    const nodeFlags = source.name === 'gateway' ? profileFlags(profileDir) : [];
    all.push(resources.use(await startApi(harness, source, database, { nodeFlags })));
  }
  const owned = resources.move();
  return { all, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
