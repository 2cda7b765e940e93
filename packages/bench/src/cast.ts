import type { BenchOptions } from './options.ts';
import { startAgainst } from './against/start-against.ts';
import { startDelayedUpstream } from './latency/upstream.ts';
import { THINKING_MS } from './latency/measure.ts';
import { startStreamUpstream } from './streams/upstream.ts';
import { startBareProxy } from './subjects/bare.ts';
import { startDatabaseServer, type DatabaseServer } from './subjects/database-server.ts';
import {
  createBenchDatabase,
  type BenchDatabase,
  type GatewayUpstreams,
} from './subjects/gateway-database.ts';
import { startApi, type Api } from './subjects/api-process.ts';
import { startGateway } from './subjects/gateway.ts';
import { startNginxProxy, startUpstream } from './subjects/nginx.ts';
import { startPortkey } from './subjects/portkey.ts';
import type { Harness, Subject } from './subjects/subject.ts';

/** All servers of a run. */
export interface Cast extends AsyncDisposable {
  upstreams: GatewayUpstreams;
  server: DatabaseServer;
  database: BenchDatabase;
  gateway: Api;
  nginx: Subject;
  portkey: Subject;
  /** The bare proxy, before the instant upstream and before the one of streams. */
  bare: Subject;
  streamBare: Subject;
  /** The gateway of another commit; null: none is compared. */
  against: Api | null;
}

export interface CastOptions {
  chunksPerStream: number;
  chunksPerSecond: number;
  /** Where the upstreams run. */
  loadCore: number;
  profileDir: BenchOptions['profileDir'];
  against: BenchOptions['against'];
}

/** Starts all of them; where one does not start, those before it are ended. */
export async function startCast(harness: Harness, options: CastOptions): Promise<Cast> {
  await using resources = new AsyncDisposableStack();
  const { chunksPerStream, chunksPerSecond } = options;
  const instant = resources.use(await startUpstream(harness, options.loadCore));
  const streams = resources.use(await startStreamUpstream({ chunksPerStream, chunksPerSecond }));
  const firstByte = resources.use(await startStreamUpstream({ chunksPerStream: 1, chunksPerSecond }));
  const delayed = resources.use(await startDelayedUpstream(THINKING_MS));
  const upstreams: GatewayUpstreams = {
    instant: instant.baseUrl,
    streams: getBaseUrl(streams.port),
    firstByte: getBaseUrl(firstByte.port),
    delayed: getBaseUrl(delayed.port),
  };
  const nginx = resources.use(await startNginxProxy(harness, upstreams.instant));
  const portkey = resources.use(await startPortkey(harness, upstreams.instant));
  const bare = resources.use(await startBareProxy(harness, upstreams.instant));
  const streamBare = resources.use(await startBareProxy(harness, upstreams.streams));
  const server = resources.use(await startDatabaseServer(harness.dir));
  const database = resources.use(
    await createBenchDatabase(server, { name: 'main', upstreams, meteredKeys: 1 }),
  );
  const gateway = resources.use(await startGateway(harness, database, options.profileDir));
  const { against: commit } = options;
  const other = commit === undefined ? null : resources.use(await startAgainst(harness, commit));
  const databaseOptions = { name: 'against', upstreams, meteredKeys: 1 };
  const against =
    other &&
    resources.use(await startApi(harness, other.source, await other.createDatabase(databaseOptions)));
  const owned = resources.move();
  return {
    upstreams,
    server,
    database,
    gateway,
    nginx,
    portkey,
    bare,
    streamBare,
    against,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function getBaseUrl(port: number): string {
  return `http://127.0.0.1:${port}/v1`;
}
