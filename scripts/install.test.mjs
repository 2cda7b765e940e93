import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ensureInstalled, isInstalled, writeStamp } from './install.mjs';
import { takeLock } from './install-lock.mjs';
import { explainFailure } from './pnpm.mjs';

describe('the install', () => {
  let root;
  beforeEach(() => {
    root = mkdtempSync(path.join(tmpdir(), 'tollgate-install-'));
    mkdirSync(path.join(root, 'node_modules'));
    writeFileSync(path.join(root, 'pnpm-lock.yaml'), 'lockfileVersion: 9\n');
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  const stamp = (content) => writeFileSync(path.join(root, 'node_modules/.tollgate-install'), content);

  it('is needed until it ran for this lockfile and platform', () => {
    expect(isInstalled(root)).toBe(false);
    stamp(writeStamp(root));
    expect(isInstalled(root)).toBe(true);
    stamp(writeStamp(root).replace(process.platform, 'plan9'));
    expect(isInstalled(root)).toBe(false);
    stamp(writeStamp(root));
    writeFileSync(path.join(root, 'pnpm-lock.yaml'), 'lockfileVersion: 10\n');
    expect(isInstalled(root)).toBe(false);
  });

  it('does nothing if it already ran', async () => {
    stamp(writeStamp(root));
    const said = [];
    await ensureInstalled(root, (line) => said.push(line));
    expect(said).toEqual([]);
  });

  it('runs once if two processes start it', async () => {
    const release = await takeLock(path.join(root, 'node_modules/.tollgate-install.lock'), () => {});
    const said = [];
    const waiting = ensureInstalled(root, (line) => said.push(line));
    stamp(writeStamp(root));
    release();
    await waiting;
    expect(said).toEqual(['Waiting for another command that is installing dependencies…']);
  });

  it('takes over the lock of a dead process', async () => {
    const lock = path.join(root, 'lock');
    mkdirSync(lock);
    // Above Linux's maximum PID, so no process has it.
    writeFileSync(path.join(lock, 'owner'), '4194305');
    const release = await takeLock(lock, () => {});
    release();
    await expect(takeLock(lock, () => {})).resolves.toBeTypeOf('function');
  });

  it.each([
    [
      ['npm error code ENOTFOUND', 'npm error FetchError: request failed'],
      'the npm registry is not reachable',
    ],
    [['ENOSPC: no space left on device, write'], 'the disk is full'],
    [['EACCES: permission denied, mkdir /x'], 'EACCES: permission denied, mkdir /x'],
    [['npm error code E404', 'Something else\nwith detail'], 'Something else'],
    [[], 'pnpm gave no reason'],
  ])('explains %j in one line', (complaints, reason) => {
    const line = explainFailure(complaints);
    expect(line).toContain(`Dependencies cannot be installed: ${reason}`);
    expect(line).not.toContain('\n');
  });
});
