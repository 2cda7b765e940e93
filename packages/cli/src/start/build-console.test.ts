import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CONSOLE_SOURCES } from './build-console.ts';
import { hashSources as hash } from './vite-build.ts';

describe('hashSources', () => {
  const hashSources = (checkout: string) => hash(checkout, CONSOLE_SOURCES);
  let checkout: string;
  beforeEach(() => {
    checkout = mkdtempSync(path.join(tmpdir(), 'tollgate-sources-'));
    write('console/src/app/main.tsx', 'one');
    write('packages/core/src/money/money.ts', 'two');
    write('console/index.html', 'three');
  });
  afterEach(() => rmSync(checkout, { recursive: true, force: true }));

  const write = (file: string, content: string) => {
    mkdirSync(path.join(checkout, path.dirname(file)), { recursive: true });
    writeFileSync(path.join(checkout, file), content);
  };

  it.each(['console/src/app/main.tsx', 'packages/core/src/money/money.ts', 'console/index.html'])(
    'changes with %s',
    (file) => {
      const before = hashSources(checkout);
      write(file, 'other');
      expect(hashSources(checkout)).not.toBe(before);
    },
  );

  it('ignores modification times, tests and server files', () => {
    const before = hashSources(checkout);
    utimesSync(path.join(checkout, 'console/index.html'), 0, 0);
    write('console/src/app/main.test.tsx', 'a test');
    write('console/server/main.ts', 'a server');
    expect(hashSources(checkout)).toBe(before);
  });
});
