import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';

const PROGRESS_EVERY_MS = 3_000;
const NETWORK =
  /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|SOCKET_TIMEOUT|META_FETCH_FAIL/;
const DISK = /ENOSPC|EDQUOT/;
const PERMISSION = /EACCES|EPERM|EROFS/;

/**
 * Runs `pnpm install` through npx in the version pinned in package.json, so that pnpm need not be installed.
 * @param {string} root the checkout
 * @param {(line: string) => void} say
 * @throws {Error} with one line that says what to do
 */
export async function runPnpm(root, say) {
  const { packageManager } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const args = [
    '--yes',
    '--prefer-offline',
    packageManager,
    'install',
    '--frozen-lockfile',
    '--prefer-offline',
  ];
  // --prod=false: NODE_ENV=production must not skip the console's build tools.
  args.push('--prod=false', '--reporter=ndjson', '--config.confirmModulesPurge=false');
  const child = spawn('npx', args, {
    cwd: root,
    env: installEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  });
  const stop = (signal) => child.kill(signal);
  process.on('SIGINT', stop).on('SIGTERM', stop);
  try {
    await follow(child, say);
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
}

function installEnvironment() {
  const env = { ...process.env };
  // `npm run -s` silences child processes too, which would hide the reason for a failure.
  delete env.npm_config_loglevel;
  // npm's default timeouts of minutes look like a hang without a network.
  env.npm_config_fetch_retry_mintimeout ??= '1000';
  env.npm_config_fetch_retry_maxtimeout ??= '5000';
  return env;
}

function follow(child, say) {
  const progress = { done: 0, total: 0, saidMs: Date.now(), say };
  const complaints = [];
  createInterface({ input: child.stdout }).on('line', (line) => readEvent(line, progress, complaints));
  createInterface({ input: child.stderr }).on('line', (line) => {
    if (!line.startsWith('npm warn')) complaints.push(line);
  });
  return new Promise((resolve, reject) => {
    child.once('error', (error) =>
      reject(new Error(`Cannot run npx (${error.code}): npm, which comes with Node, must be on the PATH`)),
    );
    child.once('close', (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(signal === null ? explainFailure(complaints) : 'Installation interrupted'));
    });
  });
}

function readEvent(line, progress, complaints) {
  let event;
  try {
    event = JSON.parse(line);
  } catch {
    complaints.push(line);
    return;
  }
  if (event.level === 'error') complaints.push(event.err?.message ?? event.message ?? event.code ?? line);
  if (event.name === 'pnpm:request-retry') complaints.push(event.error?.code ?? event.error?.message ?? '');
  if (event.name === 'pnpm:stats' && event.added !== undefined) progress.total += event.added;
  if (event.name !== 'pnpm:progress' || event.status !== 'imported') return;
  progress.done += 1;
  if (Date.now() - progress.saidMs < PROGRESS_EVERY_MS) return;
  progress.saidMs = Date.now();
  progress.say(`  ${progress.done} of ${progress.total} packages`);
}

/**
 * Summarizes errors of npx and pnpm in one line.
 * @param {string[]} complaints
 */
export function explainFailure(complaints) {
  const all = complaints.join('\n');
  if (NETWORK.test(all))
    return 'Dependencies cannot be installed: the npm registry is not reachable. Check the network (or the registry in .npmrc) and run the command again';
  if (DISK.test(all)) return 'Dependencies cannot be installed: the disk is full';
  if (PERMISSION.test(all))
    return `Dependencies cannot be installed: ${complaints.find((line) => PERMISSION.test(line))}`;
  const first = complaints.find((line) => line.trim() !== '' && !line.startsWith('npm error code'));
  return `Dependencies cannot be installed: ${first?.split('\n')[0] ?? 'pnpm gave no reason'}`;
}
