// Where the tests keep programs that are not part of the product, outside the repository.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** The folder of the cache that the tests use. */
export const CACHE_FOLDER = path.join(
  process.env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache'),
  'tollgate-tests',
);

/**
 * @param {string} name
 * @param {URL[]} sources the files with the pinned versions: another content means another folder
 */
export function findClientFolder(name, sources) {
  const hash = createHash('sha256');
  for (const source of sources) hash.update(readFileSync(source));
  return path.join(CACHE_FOLDER, `${name}-${hash.digest('hex').slice(0, 12)}`);
}
