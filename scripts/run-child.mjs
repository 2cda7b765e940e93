import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import path from 'node:path';

const PARENT_POLL_MS = 500;

/**
 * Runs Node 24 on this process's terminal and forwards signals.
 * @param {{ root: string, node: string, cwd?: string }} context
 * @param {string[]} args
 * @returns {Promise<number>} the exit code; 128 + n if signal n ended it
 */
export function run(context, args) {
  const child = spawn(context.node, args, {
    cwd: context.cwd ?? context.root,
    env: getEnvironment(context),
    stdio: 'inherit',
  });
  const forward = (signal) => {
    // The terminal sends Ctrl-C to the child directly. A second signal would force an immediate stop.
    if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, forward);
  const watch = watchNpm(() => child.kill('SIGTERM'));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      for (const name of signals) process.off(name, forward);
      clearInterval(watch);
      resolve(code ?? 128 + (constants.signals[signal] ?? 0));
    });
  });
}

/**
 * npm sends SIGTERM to the shell between it and this process, and many shells exit without forwarding it. Then this
 * process gets another parent.
 */
function watchNpm(onParentExit) {
  if (process.env.npm_lifecycle_event === undefined) return undefined;
  const parent = process.ppid;
  return setInterval(() => {
    if (process.ppid !== parent) onParentExit();
  }, PARENT_POLL_MS).unref();
}

/** Environment of a task, with Node 24 and the workspace's tools first on the PATH. */
export function getEnvironment({ root, node }) {
  const first = [path.dirname(node), path.join(root, 'node_modules', '.bin')];
  const pathName = Object.keys(process.env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH';
  return { ...process.env, [pathName]: [...first, process.env[pathName]].join(path.delimiter) };
}

/**
 * Finds the JavaScript file of a package's command. Run directly instead of through node_modules/.bin, whose shell
 * does not forward signals.
 */
export function getBin(folder, packageName, command = packageName) {
  const directory = path.join(folder, 'node_modules', packageName);
  const { bin } = JSON.parse(readFileSync(path.join(directory, 'package.json'), 'utf8'));
  return path.join(directory, typeof bin === 'string' ? bin : bin[command]);
}
