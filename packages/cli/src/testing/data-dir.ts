import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export interface DataDir {
  path: string;
  remove(): void;
}

/** A data directory that the embedded server can enter, even if tests run as root. */
export function createDataDir(): DataDir {
  const directory = mkdtempSync(path.join(tmpdir(), 'tollgate-cli-'));
  chmodSync(directory, 0o755);
  return { path: directory, remove: () => rmSync(directory, { recursive: true, force: true }) };
}
