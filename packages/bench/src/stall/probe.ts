/**
 * Is loaded into the api before its code (`--import`), to take the delays of its event loop: a timer of 1 ms is as late as any
 * other callback would be. It answers on a Unix socket: `reset` forgets all delays, `read` reports them as JSON.
 */
import { createServer } from 'node:net';
import { PerformanceObserver } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';
import { PROBE_FOLDER, type ProbeCommand } from './probe-folder.ts';
import { StallRecorder } from './stall-recorder.ts';

const PERIOD_MS = 1;

const folder = process.env[PROBE_FOLDER];
// Threads inherit the flag, but what they do delays no request.
if (isMainThread && folder !== undefined) startProbe(`${folder}/${process.pid}.sock`);

function startProbe(socketPath: string): void {
  const recorder = new StallRecorder(performance.now());
  const observer = new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) recorder.addCollection(startTime, duration);
  });
  observer.observe({ entryTypes: ['gc'] });
  let fromMs = performance.now();
  let fromCpuMs = readCpuMs();
  const timer = setInterval(() => {
    const toMs = performance.now();
    const cpuMs = readCpuMs();
    recorder.addTick(fromMs, toMs, cpuMs - fromCpuMs, PERIOD_MS);
    [fromMs, fromCpuMs] = [toMs, cpuMs];
  }, PERIOD_MS);
  timer.unref();
  const commands: Record<ProbeCommand, () => object> = {
    reset() {
      recorder.reset(performance.now());
      return {};
    },
    read: () => recorder.report(performance.now()),
  };
  const server = createServer((socket) => {
    socket.unref();
    socket.setEncoding('latin1');
    socket.on('error', () => undefined);
    socket.on('data', (piece) => {
      const name = String(piece).trim();
      if (name === 'reset' || name === 'read') socket.end(JSON.stringify(commands[name]()));
    });
  });
  server.listen(socketPath);
  server.unref();
}

/** Processor time of this thread. */
function readCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
