import { fullDisk } from './explain-file-error.ts';
import { StartFailure } from '../start-failure.ts';

type Explanation = (match: RegExpExecArray, folder: string) => StartFailure;

/** Output of PostgreSQL's programs when they cannot start; the first match explains it. */
const EXPLANATIONS: readonly [RegExp, Explanation][] = [
  [
    /error while loading shared libraries: (\S+):|Library not loaded: (\S+)/,
    ([, linux, mac]) =>
      new StartFailure(
        `The embedded PostgreSQL needs the library ${linux ?? mac}, which this system does not have`,
        'Install the package that contains it, or set DATABASE_URL to a PostgreSQL server.',
      ),
  ],
  [
    /spawn \S+ ENOENT|GLIBC_[\d.]+' not found|cannot execute|Exec format error|ENOEXEC/,
    () =>
      new StartFailure(
        'The embedded PostgreSQL does not run on this system (it needs glibc and a supported processor)',
        'Set DATABASE_URL to a PostgreSQL server; on Alpine Linux, `apk add postgresql` provides one.',
      ),
  ],
  [
    /initialized by PostgreSQL version (\d+), which is not compatible with this version (\d+)/,
    ([, found, here], folder) =>
      new StartFailure(
        `The database in ${folder} was created by PostgreSQL ${found}, and this release brings PostgreSQL ${here}`,
        'Use the release of Tollgate that created it, or move the data with pg_dump to a server of DATABASE_URL.',
      ),
  ],
  [
    /database files are incompatible with server/,
    (_, folder) =>
      new StartFailure(
        `The database in ${folder} was created by another build of PostgreSQL`,
        'Use the release of Tollgate that created it.',
      ),
  ],
  [
    /has wrong ownership|must be owned by the user/,
    (_, folder) =>
      new StartFailure(
        `The files in ${folder} belong to different users`,
        `Give all of them to one user (chown -R) and start as that user.`,
      ),
  ],
  [
    /has invalid permissions|has group or world access/,
    (_, folder) =>
      new StartFailure(
        `Other users may read the database in ${folder}, which PostgreSQL refuses`,
        `Run: chmod -R go-rwx ${folder}`,
      ),
  ],
  [
    /Read-only file system/,
    (_, folder) =>
      new StartFailure(
        `${folder} is on a read-only file system`,
        'Set DATA_DIR to a folder that can be written.',
      ),
  ],
  [
    /could not (?:create|resize|open) shared memory segment|shmget|shm_open/,
    () =>
      new StartFailure(
        'PostgreSQL could not get shared memory',
        'Give the system or container more of it (docker run --shm-size=256m), or raise kernel.shmmax.',
      ),
  ],
  [
    /could not create semaphores|semget|sem_init/,
    () =>
      new StartFailure(
        'PostgreSQL could not get semaphores',
        'Raise kernel.sem (sysctl), or stop other database servers.',
      ),
  ],
  [/No space left on device|could not extend file|Disk quota exceeded/, (_, folder) => fullDisk(folder)],
  [
    /Cannot allocate memory|could not map anonymous shared memory|out of memory/,
    () =>
      new StartFailure(
        'There is not enough memory to start PostgreSQL',
        'Stop other programs, or add memory or swap.',
      ),
  ],
  [
    /Too many open files/,
    () => new StartFailure('Too many files are open', 'Raise the limit, for example with `ulimit -n 65536`.'),
  ],
  [
    /Resource temporarily unavailable|could not fork/,
    () =>
      new StartFailure(
        'This user may not start more processes',
        'Raise the limit of processes (`ulimit -u`, or pids in a container).',
      ),
  ],
  [
    /invalid locale|locale .* not (?:found|recognized)|failed to set locale|could not be set to/i,
    () =>
      new StartFailure(
        'The locale of this system is not installed',
        'Start with LC_ALL=C, or install the locale that LANG and LC_ALL name.',
      ),
  ],
  [
    /could not locate a valid checkpoint record|invalid checkpoint record|invalid magic number|could not read from file "pg_|PANIC:/,
    (_, folder) =>
      new StartFailure(
        `The database in ${folder} is damaged`,
        'Restore a backup. A copy of a running database is damaged unless it is a snapshot: stop the server before you copy it.',
      ),
  ],
  [
    /lock file "postmaster\.pid" already exists|pre-existing shared memory block/,
    (_, folder) =>
      new StartFailure(
        `A PostgreSQL server that does not respond is already running on ${folder}`,
        'Wait until it has stopped, or end it: its process id is the first line of postmaster.pid in that folder.',
      ),
  ],
  [
    /timezone|could not find (?:postgres|initdb)|share\/.*: No such file/i,
    () =>
      new StartFailure(
        'Files of the embedded PostgreSQL are missing',
        'Delete node_modules and start again: it is installed anew.',
      ),
  ],
  [
    /Permission denied|EACCES|EPERM/,
    (_, folder) =>
      new StartFailure(
        `PostgreSQL has no permission to use ${folder}`,
        'Give the folder to the user that starts Tollgate (chown -R), or set DATA_DIR to another folder.',
      ),
  ],
];

/**
 * Explains what a program of PostgreSQL printed before it ended.
 * @param folder of the cluster
 * @returns null when the cause is not known
 */
export function explainPostgres(output: string, folder: string): StartFailure | null {
  for (const [pattern, explain] of EXPLANATIONS) {
    const match = pattern.exec(output);
    if (match !== null) return explain(match, folder);
  }
  return null;
}
