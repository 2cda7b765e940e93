import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { REQUEST_BODY } from '../subjects/completion.ts';
import type { Harness, Subject } from '../subjects/subject.ts';

export interface WrkResult {
  requests: number;
  requestsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
}

export interface WrkLoad {
  connections: number;
  seconds: number;
  /** What is posted; without it, the benchmark's small request. */
  body?: string;
  /** Files whose contents are posted in turns, in place of `body`. */
  bodyFiles?: readonly string[];
  /** Of a warm-up: it may be over before the first answer to a large body. */
  mayBeUnanswered?: boolean;
}

const MARK = 'tollgate-bench';
/** A request that takes longer counts as broken. 64 bodies of 2 MB take longer than 10 s on a busy machine. */
const TIMEOUT = '10s';
const LARGE_TIMEOUT = '60s';

/**
 * Drives a subject with wrk, from the core that this process is pinned to.
 * @throws Error where a request failed: figures with errors among them mean nothing
 */
export async function runWrk(harness: Harness, subject: Subject, load: WrkLoad): Promise<WrkResult> {
  const script = path.join(harness.dir, `${subject.name}.lua`);
  writeFileSync(script, encodeScript(subject.headers, subject.keys, load));
  const timeout = load.bodyFiles === undefined ? TIMEOUT : LARGE_TIMEOUT;
  const args = ['-t1', `-c${load.connections}`, `-d${load.seconds}s`, '--timeout', timeout, '-s', script];
  const output = await run(
    harness.tools.wrk,
    [...args, `${subject.baseUrl}/chat/completions`],
    harness.signal,
  );
  return parseWrkOutput(subject.name, output, load.mayBeUnanswered);
}

/**
 * The Lua script with wrk's requests, which prints its figures in one line.
 * @param keys API keys that requests carry in turns; with one or none, what `headers` say
 */
export function encodeScript(
  headers: Record<string, string>,
  keys: readonly string[] = [],
  { body = REQUEST_BODY, bodyFiles = [] }: Pick<WrkLoad, 'body' | 'bodyFiles'> = {},
): string {
  const all = { ...headers, 'content-type': 'application/json' };
  return `
wrk.method = "POST"
${Object.entries(all)
  .map(([name, value]) => `wrk.headers[${JSON.stringify(name)}] = ${JSON.stringify(value)}`)
  .join('\n')}
wrk.body = [==[${body}]==]
${keys.length > 1 || bodyFiles.length > 0 ? encodeTurns(keys, bodyFiles) : ''}
function done(summary, latency)
  local e = summary.errors
  io.write(string.format("${MARK} %d %d %d %d %d %d\\n", summary.requests, summary.duration,
    latency:percentile(50), latency:percentile(99), e.status, e.connect + e.read + e.write + e.timeout))
end
`;
}

/** Every request is put together before the first one is sent. There are as many as keys or files, whichever is more. */
function encodeTurns(keys: readonly string[], bodyFiles: readonly string[]): string {
  const list = (texts: readonly string[]) => `{${texts.map((text) => JSON.stringify(text)).join(', ')}}`;
  return `
local keys, files = ${list(keys)}, ${list(bodyFiles)}
local requests, turn = {}, 0
function init()
  for at = 1, math.max(#keys, #files) do
    if #keys > 0 then wrk.headers["authorization"] = "Bearer " .. keys[(at - 1) % #keys + 1] end
    if #files > 0 then
      local file = assert(io.open(files[(at - 1) % #files + 1], "rb"))
      wrk.body = file:read("*a")
      file:close()
    end
    requests[#requests + 1] = wrk.format()
  end
end
function request()
  turn = turn % #requests + 1
  return requests[turn]
end`;
}

/** @param output what wrk printed; times in it are microseconds */
export function parseWrkOutput(name: string, output: string, mayBeUnanswered = false): WrkResult {
  const line = output.split('\n').find((text) => text.startsWith(MARK));
  const figures = (line ?? '').split(' ').slice(1).map(Number);
  const [requests, durationUs, p50Us, p99Us, refused, broken] = figures;
  if (
    requests === undefined ||
    durationUs === undefined ||
    p50Us === undefined ||
    p99Us === undefined ||
    figures.some((figure) => !Number.isFinite(figure))
  )
    throw new Error(`wrk did not measure ${name}: ${output.trim()}`);
  if ((requests === 0 && !mayBeUnanswered) || refused !== 0 || broken !== 0)
    throw new Error(
      `${name}: of ${requests} requests ${refused} were answered with an error status, ${broken} broke`,
    );
  return {
    requests,
    requestsPerSecond: requests / (durationUs / 1e6),
    p50Ms: p50Us / 1000,
    p99Ms: p99Us / 1000,
  };
}

function run(command: string, args: string[], signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], signal });
    let output = '';
    child.stdout.on('data', (piece) => (output += String(piece)));
    child.stderr.on('data', (piece) => (output += String(piece)));
    child.once('error', reject);
    child.once('close', () => resolve(output));
  });
}
