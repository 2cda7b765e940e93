import { fileURLToPath } from 'node:url';
import { findNode } from './find-node.mjs';
import { ensureInstalled } from './install.mjs';
import { TASKS } from './tasks.mjs';

const OLDEST_HOST_NODE = 20;
const ROOT = fileURLToPath(new URL('..', import.meta.url));

/**
 * Installs the workspace if needed, then runs one task with Node 24.
 * Its own messages go to stderr; stdout is for the task.
 * @param {string} name one of TASKS
 * @param {string[]} args arguments for the task
 * @returns {Promise<number>} the exit code
 */
export async function launch(name, args) {
  const say = (line) => process.stderr.write(`${line}\n`);
  if (Number(process.versions.node.split('.')[0]) < OLDEST_HOST_NODE) {
    say(`Tollgate needs Node ${OLDEST_HOST_NODE} or newer; this is Node ${process.versions.node}`);
    return 1;
  }
  const task = Object.hasOwn(TASKS, name) ? TASKS[name] : undefined;
  if (task === undefined) {
    say(`Unknown task "${name}": node scripts/run.mjs ${Object.keys(TASKS).join(' | ')}`);
    return 2;
  }
  try {
    await ensureInstalled(ROOT, say);
    return await task({ root: ROOT, node: findNode(ROOT), args });
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
    return 1;
  }
}
