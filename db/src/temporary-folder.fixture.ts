import { chmodSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export interface TemporaryFolder {
  path: string;
  remove(): void;
}

/** @param mode 0o755 lets the server's user in when the tests run as root; 0o700 is what a home folder of root has */
export function createFolder(mode = 0o755): TemporaryFolder {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'tollgate-embedded-')));
  chmodSync(folder, mode);
  return { path: folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
