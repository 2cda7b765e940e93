import { mkdirSync, readdirSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { PROBE_FOLDER, type ProbeCommand } from './probe-folder.ts';
import type { Stall, StallReport } from './stall-recorder.ts';

const PROBE = fileURLToPath(new URL('probe.ts', import.meta.url));
const ANSWER_TIMEOUT_MS = 30_000;

/** Where an api with a probe leaves its sockets, and how it is started. */
export interface Probe {
  nodeFlags: string[];
  env: Record<string, string>;
  reset: () => Promise<void>;
  /** The worst of all replicas. */
  read: () => Promise<StallReport>;
}

export function createProbe(folder: string): Probe {
  mkdirSync(folder);
  const askAll = async (command: ProbeCommand) =>
    Promise.all(readdirSync(folder).map(async (file) => ask(path.join(folder, file), command)));
  return {
    nodeFlags: ['--import', PROBE],
    env: { [PROBE_FOLDER]: folder },
    async reset() {
      await askAll('reset');
    },
    async read() {
      return findWorst((await askAll('read')).map((text) => JSON.parse(text) as StallReport));
    },
  };
}

/** @throws Error if no process has a probe */
function findWorst(reports: readonly StallReport[]): StallReport {
  const [first, ...others] = reports;
  if (first === undefined) throw new Error('No replica has a probe');
  const worse = (a: Stall, b: Stall, by: 'wallMs' | 'cpuMs') => (b[by] > a[by] ? b : a);
  return others.reduce(
    (worst, report) => ({
      longest: worse(worst.longest, report.longest, 'wallMs'),
      busiest: worse(worst.busiest, report.busiest, 'cpuMs'),
      longestGcMs: Math.max(worst.longestGcMs, report.longestGcMs),
      gcShare: Math.max(worst.gcShare, report.gcShare),
      p99Ms: Math.max(worst.p99Ms, report.p99Ms),
      ticks: worst.ticks + report.ticks,
    }),
    first,
  );
}

function ask(socketPath: string, command: ProbeCommand): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(socketPath, () => socket.write(`${command}\n`));
    socket.setTimeout(ANSWER_TIMEOUT_MS, () => socket.destroy(new Error('The probe does not answer')));
    socket.setEncoding('utf8');
    socket.on('data', (piece) => (text += String(piece)));
    socket.once('error', reject);
    socket.once('end', () => resolve(text));
  });
}
