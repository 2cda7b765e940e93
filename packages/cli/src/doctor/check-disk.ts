import { existsSync } from 'node:fs';
import path from 'node:path';
import { checkDisk } from '@tollgate/db/machine-health';
import { fail, ok, warn, type Check } from './check.ts';

/** Checks free disk space for the data directory. */
export async function checkDataDisk(dataDir: string): Promise<Check> {
  const { state, detail } = await checkDisk(existingFolder(dataDir));
  switch (state) {
    case 'ok':
      return ok('Disk', `${detail.replace('ok: ', '')} for ${dataDir}`);
    case 'unknown':
      return warn(
        'Disk',
        `${dataDir} cannot be checked (${detail.replace('unknown: ', '')})`,
        'check DATA_DIR',
      );
    case 'low':
    case 'exhausted':
      return (state === 'low' ? warn : fail)('Disk', `${detail} for ${dataDir}`, 'free disk space');
  }
}

/** Finds the directory or its closest existing ancestor; the first start creates the rest. */
function existingFolder(folder: string): string {
  let existing = path.resolve(folder);
  while (!existsSync(existing) && path.dirname(existing) !== existing) existing = path.dirname(existing);
  return existing;
}
