import { statfsSync } from 'node:fs';
import { StartFailure } from '../start-failure.ts';

/**
 * Explains an error of the file system in `folder`.
 * @returns a StartFailure, or the error as it was when it is not one of the file system
 */
export function explainFileError(error: unknown, folder: string): unknown {
  if (!(error instanceof Error) || error instanceof StartFailure || !('code' in error)) return error;
  const at = 'path' in error && typeof error.path === 'string' ? error.path : folder;
  switch (error.code) {
    case 'EACCES':
    case 'EPERM':
      return new StartFailure(
        `No permission to use ${at}`,
        `Start as the user who owns ${folder}, give it to this user (chown -R), or set DATA_DIR to another folder.`,
        { cause: error },
      );
    case 'ENOSPC':
    case 'EDQUOT':
      return fullDisk(folder, error);
    case 'EROFS':
      return new StartFailure(
        `${at} is on a read-only file system`,
        'Set DATA_DIR to a folder that can be written.',
        {
          cause: error,
        },
      );
    case 'ENOTDIR':
    case 'EEXIST':
      return new StartFailure(
        `${at} is not a folder`,
        'Remove that file, or set DATA_DIR to another folder.',
        {
          cause: error,
        },
      );
    case 'ENAMETOOLONG':
      return new StartFailure(`The path ${at} is too long`, 'Set DATA_DIR to a shorter path.', {
        cause: error,
      });
    case 'EMFILE':
    case 'ENFILE':
      return new StartFailure(
        'Too many files are open',
        'Raise the limit, for example with `ulimit -n 65536`.',
        {
          cause: error,
        },
      );
    default:
      return error;
  }
}

/** A full disk, or a disk without free inodes, which looks the same to programs. */
export function fullDisk(folder: string, cause?: unknown): StartFailure {
  const options = cause === undefined ? {} : { cause };
  try {
    const { bavail, files, ffree } = statfsSync(folder);
    if (bavail > 0 && files > 0 && ffree === 0)
      return new StartFailure(
        `The disk of ${folder} has no free inodes`,
        'Delete files that are not needed (many small ones), or set DATA_DIR to another disk.',
        options,
      );
  } catch {
    // It is reported as full.
  }
  return new StartFailure(
    `The disk of ${folder} is full`,
    'Free some space (a new database needs 100 MB), or set DATA_DIR to another disk.',
    options,
  );
}
