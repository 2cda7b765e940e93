import { existsSync, mkdirSync, statSync } from 'node:fs';
import path from 'node:path';

/**
 * Creates a folder and its missing parents. `mkdirSync` with `recursive` never returns on a file system that reports
 * ENOENT for a new folder in an existing one, as /proc does.
 * @param mode of the folders that are created
 * @throws the error of the file system
 */
export function createFolder(folder: string, mode?: number): void {
  const parent = path.dirname(folder);
  if (parent !== folder && !existsSync(parent)) createFolder(parent, mode);
  try {
    mkdirSync(folder, mode);
  } catch (error) {
    const exists = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    if (!exists || !statSync(folder).isDirectory()) throw error;
  }
}
