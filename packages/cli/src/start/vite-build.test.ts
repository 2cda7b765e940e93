import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { refuseUnwritable } from './vite-build.ts';

describe('refuseUnwritable', () => {
  let folder: string;
  beforeEach(() => void (folder = mkdtempSync(path.join(tmpdir(), 'tollgate-build-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('accepts folders that this user can write or create', () => {
    expect(() => refuseUnwritable('api', [folder, path.join(folder, 'dist/later')])).not.toThrow();
  });

  it('says which folder cannot be written, and what to do', () => {
    const locked = path.join(folder, 'locked');
    // Root may write to every folder, but not into a file.
    if (process.getuid?.() === 0) writeFileSync(locked, '');
    else mkdirSync(locked);
    chmodSync(locked, 0o444);
    const refuse = () => refuseUnwritable('api', [folder, path.join(locked, 'dist')]);
    expect(refuse).toThrow(
      `The api must be built, but this user cannot write to ${locked}. Run \`npm run build\` as the owner of that folder, then start again.`,
    );
    expect(refuse).toThrow(expect.objectContaining({ code: 'build_not_writable' }));
  });
});
