import { existsSync } from 'node:fs';
import path from 'node:path';
import { checkDisk } from '@tollgate/db/machine-health';
import { fail, ok, warn, type Check } from './check.ts';

/** Looks at the room on the disk of the data folder. */
export async function checkDataDisk(dataDir: string): Promise<Check> {
  const { state, detail } = await checkDisk(existingFolder(dataDir));
  switch (state) {
    case 'ok':
      return ok('Disk', `${detail.replace('ok: ', '')} for ${dataDir}`);
    case 'unknown':
      return warn(
        'Disk',
        `${dataDir} cannot be looked at (${detail.replace('unknown: ', '')})`,
        'check DATA_DIR',
      );
    case 'low':
    case 'exhausted':
      return (state === 'low' ? warn : fail)('Disk', `${detail} for ${dataDir}`, 'make room on this disk');
  }
}

/** The folder itself, or the closest one above it that exists: the first start makes the rest. */
function existingFolder(folder: string): string {
  let existing = path.resolve(folder);
  while (!existsSync(existing) && path.dirname(existing) !== existing) existing = path.dirname(existing);
  return existing;
}
