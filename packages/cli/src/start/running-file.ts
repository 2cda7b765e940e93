import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { CliEnv } from '../env.ts';

const placeSchema = z.object({ host: z.string(), port: z.int() });
const runningSchema = z.object({
  pid: z.int(),
  /** The data directory that the file was written in: a copy of the directory has a copy of the file. */
  directory: z.string(),
  api: placeSchema,
  console: placeSchema,
});

/** Addresses of the services of a running `npm start`. */
export type RunningServices = z.infer<typeof runningSchema>;

/** Records the services' addresses for commands without their environment. @returns removes the file */
export function writeRunningFile(env: CliEnv): () => void {
  const file = getFile(env.DATA_DIR);
  mkdirSync(env.DATA_DIR, { recursive: true });
  const running: RunningServices = {
    pid: process.pid,
    directory: getIdentity(env.DATA_DIR),
    api: { host: env.API_HOST, port: env.API_PORT },
    console: { host: env.CONSOLE_HOST, port: env.CONSOLE_PORT },
  };
  writeFileSync(file, `${JSON.stringify(running)}\n`);
  return () => {
    // Another start may have replaced the file.
    if (readRunningFile(env.DATA_DIR)?.pid === process.pid) rmSync(file, { force: true });
  };
}

/** @returns null if no `npm start` runs on this data directory */
export function readRunningFile(dataDir: string): RunningServices | null {
  try {
    const running = runningSchema.parse(JSON.parse(readFileSync(getFile(dataDir), 'utf8')));
    process.kill(running.pid, 0);
    return running.directory === getIdentity(dataDir) ? running : null;
  } catch {
    return null;
  }
}

/** The same for a directory that was moved, another for a copy. */
function getIdentity(dataDir: string): string {
  const { dev, ino } = statSync(dataDir, { bigint: true });
  return `${dev}:${ino}`;
}

function getFile(dataDir: string): string {
  return path.join(dataDir, 'running.json');
}
