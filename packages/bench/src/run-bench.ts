import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { BUSY, measureBackgroundLoad } from './host/background-load.ts';
import { chooseCores, pinSelf } from './host/cores.ts';
import { readMemoryMb } from './host/process-usage.ts';
import { findTools } from './host/tools.ts';
import type { BenchOptions } from './options.ts';
import type { BenchResult } from './report.ts';
import { countChunks, measureStreams } from './streams/measure.ts';
import { startStreamUpstream } from './streams/upstream.ts';
import { startBareProxy } from './subjects/bare.ts';
import { startGateway } from './subjects/gateway.ts';
import { startNginxProxy, startUpstream } from './subjects/nginx.ts';
import { startPortkey } from './subjects/portkey.ts';
import type { Stage, Subject } from './subjects/subject.ts';
import { measureThroughput } from './throughput/rounds.ts';
import { measureTranslation } from './translation/measure.ts';

const CONNECTIONS = 64;
const CHUNKS_PER_SECOND = 50;
const STREAM_ROUNDS = 3;

/** Starts everything on two cores and in a temporary folder, measures it, and ends everything, also on an abort. */
export async function runBench(
  options: BenchOptions,
  signal: AbortSignal,
  onProgress: (line: string) => void,
): Promise<BenchResult> {
  const tools = findTools(process.env['PATH'] ?? '');
  const cores = chooseCores(options.cores);
  // wrk, the upstreams, the stream client and PostgreSQL come after this and share the load's core.
  pinSelf(tools.taskset, cores.load);
  await using resources = new AsyncDisposableStack();
  const dir = mkdtempSync(path.join(tmpdir(), 'tollgate-bench-'));
  resources.defer(() => rmSync(dir, { recursive: true, force: true }));
  const stage: Stage = { dir, tools, core: cores.underTest, signal };

  onProgress('starting the upstreams, nginx, Portkey and the gateway');
  const instant = resources.use(await startUpstream(stage, cores.load));
  const chunksPerStream = countChunks(options.seconds, CHUNKS_PER_SECOND);
  const streamUpstream = resources.use(
    await startStreamUpstream({ chunksPerStream, chunksPerSecond: CHUNKS_PER_SECOND }),
  );
  const streamUrl = `http://127.0.0.1:${streamUpstream.port}/v1`;
  const firstByteUpstream = resources.use(
    await startStreamUpstream({ chunksPerStream: 1, chunksPerSecond: CHUNKS_PER_SECOND }),
  );
  const firstByteUrl = `http://127.0.0.1:${firstByteUpstream.port}/v1`;
  const nginx = resources.use(await startNginxProxy(stage, instant.baseUrl));
  const portkey = resources.use(await startPortkey(stage, instant.baseUrl));
  const bare = resources.use(await startBareProxy(stage, instant.baseUrl));
  const gateway = resources.use(
    await startGateway(
      stage,
      { instant: instant.baseUrl, streams: streamUrl, firstByte: firstByteUrl },
      options.profileDir,
    ),
  );
  const started = readMemoryMb(gateway.pid).now;
  const loadBefore = await measureBackgroundLoad([cores.underTest, cores.load], signal);
  if (loadBefore > BUSY) onProgress(`other programs use ${Math.round(loadBefore * 100)} % of the two cores`);

  const throughput = await measureThroughput(stage, [nginx, portkey, bare, gateway], {
    ...options,
    connections: CONNECTIONS,
    onProgress,
  });
  const streamBare: Subject = resources.use(await startBareProxy(stage, streamUrl));
  const rounds = options.quick ? 1 : STREAM_ROUNDS;
  const streams = await measureStreams({ name: 'direct', baseUrl: streamUrl }, [streamBare, gateway], {
    streams: options.streams,
    chunksPerStream,
    rounds,
    signal,
    onProgress,
  });
  const translation = await measureTranslation(gateway, {
    chunksPerStream,
    firstByteUrl,
    rounds,
    seconds: options.seconds,
    signal,
    onProgress,
  });
  onProgress('counting the recorded requests');
  const atWrk = throughput.find(({ name }) => name === gateway.name)?.answered ?? Number.NaN;
  const answered = atWrk + rounds * options.streams + translation.answered;
  const recorded = await gateway.countRecorded(answered);
  const loadAfter = await measureBackgroundLoad([cores.underTest, cores.load], signal);
  return {
    throughput,
    streams,
    translation,
    answered,
    recorded,
    backgroundLoad: Math.max(loadBefore, loadAfter),
    gatewayMemoryMb: { started, end: readMemoryMb(gateway.pid).now },
  };
}
