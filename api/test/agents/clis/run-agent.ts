import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { CACHE_FOLDER, findClientFolder } from './client-folder.mjs';
import type { AgentSetUp, CodingAgent } from './coding-agents.ts';

const LIMIT_MS = 90_000;

const folder = findClientFolder('clis', [new URL('pnpm-lock.yaml', import.meta.url)]);

/** True if the agents are installed on this machine. */
export const hasAgents = process.platform === 'linux' && process.arch === 'x64' && existsSync(folder);

interface AgentRun {
  exitCode: number | null;
  /** What it wrote on the terminal, without colors. */
  stdout: string;
  stderr: string;
  seconds: number;
  /** When it started, in ms since 1970. */
  startedAtMs: number;
  /** The folder in which it ran. */
  folder: string;
}

/** A started agent. */
export interface RunningAgent {
  /** Presses Ctrl-C. */
  interrupt(): void;
  finished: Promise<AgentRun>;
}

/** A folder for one run, and a home folder in it; `using` removes it. */
export async function createWorkFolder(): Promise<{ folder: string; home: string } & AsyncDisposable> {
  await mkdir(CACHE_FOLDER, { recursive: true });
  // Codex refuses a home below the folder of temporary files.
  const root = await mkdtemp(path.join(CACHE_FOLDER, 'run-'));
  const work = { folder: path.join(root, 'work'), home: path.join(root, 'home') };
  for (const each of Object.values(work)) await mkdir(each);
  return {
    ...work,
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, maxRetries: 5, retryDelay: 200 }),
  };
}

/** Starts an agent in a folder, with nothing of this process's environment but the path. */
export async function startAgent(
  agent: CodingAgent,
  work: { folder: string; home: string },
  options: Omit<AgentSetUp, 'home'>,
): Promise<RunningAgent> {
  const { args, env } = await agent.setUp({ ...options, home: work.home });
  const program = findProgram(agent);
  const isScript = /\.m?js$/.test(program);
  const startMs = performance.now();
  const startedAtMs = Date.now();
  const child = spawn(isScript ? process.execPath : program, isScript ? [program, ...args] : args, {
    cwd: work.folder,
    env: {
      PATH: '/usr/local/bin:/usr/bin:/bin',
      HOME: work.home,
      LANG: 'C.UTF-8',
      NO_COLOR: '1',
      DISABLE_TELEMETRY: '1',
      DISABLE_AUTOUPDATER: '1',
      DO_NOT_TRACK: '1',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    // Children of an agent end with it.
    detached: true,
  });
  const { pid = 0 } = child;
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (text: Buffer) => (stdout += String(text)));
  child.stderr.on('data', (text: Buffer) => (stderr += String(text)));
  const timer = setTimeout(() => process.kill(-pid, 'SIGKILL'), LIMIT_MS);
  const finish = async (): Promise<AgentRun> => {
    await once(child, 'close');
    clearTimeout(timer);
    const seconds = (performance.now() - startMs) / 1000;
    return {
      exitCode: child.exitCode,
      stdout: withoutColors(stdout),
      stderr: withoutColors(stderr),
      seconds,
      startedAtMs,
      folder: work.folder,
    };
  };
  return { interrupt: () => void process.kill(-pid, 'SIGINT'), finished: finish() };
}

/** The version of an agent's package. */
export function getVersion(agent: CodingAgent): string {
  const [name] = agent.program;
  if (name === '') return readVersion(path.resolve(import.meta.dirname, '../../../node_modules/ai'));
  return readVersion(findPackage(name)).replace(/-linux-x64$/, '');
}

function readVersion(directory: string): string {
  const manifest = JSON.parse(readFileSync(path.join(directory, 'package.json'), 'utf8')) as {
    version: string;
  };
  return manifest.version;
}

function findProgram({ program: [name, file] }: CodingAgent): string {
  return name === '' ? file : path.join(findPackage(name), file);
}

function findPackage(name: string): string {
  const direct = path.join(folder, 'node_modules', name);
  return existsSync(direct) ? direct : path.join(folder, 'node_modules/.pnpm/node_modules', name);
}

/** Without the sequences that set colors and move the cursor. */
function withoutColors(text: string): string {
  // eslint-disable-next-line no-control-regex -- an escape character starts each of them
  return text.replaceAll(/\u001B\[[0-9;?]*[A-Za-z]/g, '');
}
