import { Buffer } from 'node:buffer';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readFile, rename } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const HERE = import.meta.dirname;
const BUILD_TIMEOUT_MS = 240_000;
const READ_TIMEOUT_MS = 60_000;

/** How one JSON reader understands request bodies. */
export interface JsonReader {
  name: string;
  /** @returns the content of each body, in order */
  read(bodies: readonly Buffer[]): Promise<unknown[]>;
}

export type BuiltReaders = { ok: true; readers: JsonReader[] } | { ok: false; reason: string };

/**
 * Builds the readers in Go, Python and Rust in the temporary folder, once for each version of their sources.
 * @returns the reason if a tool is missing or a build fails
 */
export async function buildReaders(): Promise<BuiltReaders> {
  try {
    const [go, rust] = await Promise.all([buildGo(), buildRust()]);
    await run('python3', ['--version'], { timeoutMs: READ_TIMEOUT_MS });
    const hex = (body: Buffer) => body.toString('hex');
    const base64 = (body: Buffer) => body.toString('base64');
    return {
      ok: true,
      readers: [
        { name: 'Go', read: (bodies) => readAll([go], bodies.map(base64)) },
        { name: 'Python', read: (bodies) => readAll(['python3', join(HERE, 'read.py')], bodies.map(base64)) },
        { name: 'Rust', read: (bodies) => readAll([rust], bodies.map(hex)) },
      ],
    };
  } catch (error) {
    const [line = 'unknown'] = (error instanceof Error ? error.message : String(error)).split('\n');
    return { ok: false, reason: line };
  }
}

async function buildGo(): Promise<string> {
  return build('go', ['go/go.mod', 'go/main.go'], async (_folder, binary) => {
    const args = ['build', '-buildvcs=false', '-o', binary, '.'];
    await run('go', args, { cwd: join(HERE, 'go'), timeoutMs: BUILD_TIMEOUT_MS });
  });
}

async function buildRust(): Promise<string> {
  return build('rust', ['rust/Cargo.toml', 'rust/Cargo.lock', 'rust/src/main.rs'], async (folder, binary) => {
    const manifest = join(HERE, 'rust/Cargo.toml');
    const args = ['build', '--quiet', '--locked', '--target-dir', folder, '--manifest-path', manifest];
    await run('cargo', args, { timeoutMs: BUILD_TIMEOUT_MS });
    await rename(join(folder, 'debug/json-reader'), binary);
  });
}

/** Builds a binary unless it exists for the same sources. */
async function build(
  name: string,
  sources: readonly string[],
  make: (folder: string, binary: string) => Promise<void>,
): Promise<string> {
  const hash = createHash('sha256');
  for (const source of sources) hash.update(await readFile(join(HERE, source)));
  const folder = join(tmpdir(), `tollgate-json-reader-${name}-${hash.digest('hex').slice(0, 16)}`);
  const binary = join(folder, 'reader');
  await mkdir(folder, { recursive: true });
  const isThere = await readFile(binary).then(
    () => true,
    () => false,
  );
  if (isThere) return binary;
  const made = join(folder, `reader-${process.pid}`);
  await make(folder, made);
  await rename(made, binary);
  return binary;
}

async function readAll(
  [command = '', ...args]: readonly string[],
  lines: readonly string[],
): Promise<unknown[]> {
  const input = `${lines.join('\n')}\n`;
  const output = await run(command, args, { input, timeoutMs: READ_TIMEOUT_MS });
  return output
    .trimEnd()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
}

interface RunOptions {
  timeoutMs: number;
  cwd?: string;
  input?: string;
}

/** @throws Error with the command and its first line on stderr, if it cannot be started or fails */
function run(command: string, args: readonly string[], options: RunOptions): Promise<string> {
  const { timeoutMs, input, ...rest } = options;
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const child = spawn(command, args, { ...rest, timeout: timeoutMs, stdio: 'pipe' });
  const chunks: Buffer[] = [];
  const problems: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => problems.push(chunk));
  child.stdin.on('error', () => undefined);
  child.on('error', (error) => reject(new Error(`${command} cannot be run: ${error.message}`)));
  child.on('close', (code) => {
    if (code === 0) resolve(Buffer.concat(chunks).toString('utf8'));
    else reject(new Error(`${command} failed: ${Buffer.concat(problems).toString('utf8').trim()}`));
  });
  child.stdin.end(input ?? '');
  return promise;
}
