import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 200;
/** Age after which a lock without an owner is stale: its process died before writing the owner. */
const UNSIGNED_GRACE_MS = 5_000;

/**
 * Acquires a lock in the form of a directory, which only one process can create. Waits while its owner is alive.
 * @param {string} directory
 * @param {() => void} onWait called once if another process has the lock
 * @returns {Promise<() => void>} releases the lock, which also happens on exit
 */
export async function takeLock(directory, onWait) {
  for (let attempt = 0; !tryTake(directory); attempt++) {
    if (attempt === 0) onWait();
    if (isStale(directory)) discard(directory);
    else await sleep(POLL_MS);
  }
  const release = () => {
    process.removeListener('exit', release);
    rmSync(directory, { recursive: true, force: true });
  };
  process.once('exit', release);
  return release;
}

function tryTake(directory) {
  try {
    mkdirSync(directory);
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
  writeFileSync(ownerFile(directory), String(process.pid));
  return true;
}

function isStale(directory) {
  const owner = readOwner(directory);
  if (owner !== null) return !isAlive(owner);
  try {
    return Date.now() - statSync(directory).mtimeMs > UNSIGNED_GRACE_MS;
  } catch {
    return false;
  }
}

/** Renames a stale lock before deleting it, so that only one of two processes removes it. */
function discard(directory) {
  const grave = `${directory}.stale-${process.pid}`;
  try {
    renameSync(directory, grave);
  } catch {
    return;
  }
  const owner = readOwner(grave);
  // Another process was faster, and this is its new lock: restore it.
  if (owner !== null && isAlive(owner)) renameSync(grave, directory);
  else rmSync(grave, { recursive: true, force: true });
}

const ownerFile = (directory) => path.join(directory, 'owner');

function readOwner(directory) {
  try {
    const pid = Number(readFileSync(ownerFile(directory), 'utf8'));
    return Number.isInteger(pid) && pid > 0 ? pid : null;
  } catch {
    return null;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
