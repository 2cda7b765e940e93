import { readFileSync } from 'node:fs';
import { isMissing } from '@tollgate/testing/missing-tool';
import { describe, expect, it } from 'vitest';
import { parseFunctionHistory, readFunctions } from '../function-files.ts';
import { computeChecksum, readMigrations } from '../migration-files.ts';
import { parseChecksums, readHistoricSets } from './git-history.fixture.ts';
import { SCHEMA_REPAIRS } from './repairs.ts';

const FILE = new URL('../../migrations/checksums.txt', import.meta.url);
const FUNCTIONS_FILE = new URL('../../functions/checksums.txt', import.meta.url);
const history = readHistoricSets();
const lacksHistory = isMissing('the git history', history !== null, 'what earlier commits released');

describe('db/migrations/checksums.txt', () => {
  const checksums = parseChecksums(readFileSync(FILE, 'utf8'));

  it('has the checksum of every migration: `npm run migrations:checksum` adds a new file', () => {
    const actual = readMigrations().map(({ name, sql }) => [name, computeChecksum(sql)]);
    expect(
      Object.fromEntries(checksums),
      'New migration? Run `npm run migrations:checksum`. Edited one? Undo the edit and add a new migration.',
    ).toEqual(Object.fromEntries(actual));
  });

  it.skipIf(lacksHistory)('keeps every line that was ever committed (skipped without git history)', () => {
    const changed = (history ?? [])
      // A branch that two migrations with one number met on could not be installed.
      .filter(({ migrations }) => migrations !== null)
      .flatMap(({ commit, checksums: then }) =>
        [...then]
          .filter(([name, checksum]) => checksums.get(name) !== checksum)
          .map(([name]) => `${name} of ${commit}`),
      );
    expect(
      [...new Set(changed)],
      'These were released with another text: undo the edit. On a branch that is not on main yet, squash the commits.',
    ).toEqual([]);
  });

  it.skipIf(lacksHistory)('has a repair for every edit of a migration in the history', () => {
    const known = new Set([...checksums.values(), ...SCHEMA_REPAIRS.flatMap((repair) => repair.checksums)]);
    const unknown = (history ?? [])
      .flatMap(({ commit, migrations }) => (migrations ?? []).map((migration) => ({ commit, migration })))
      .filter(({ migration }) => !known.has(computeChecksum(migration.sql)))
      .map(({ commit, migration }) => `${migration.name} of ${commit}`);
    expect(unknown).toEqual([]);
  });
});

describe('db/functions/checksums.txt', () => {
  const lines = parseFunctionHistory(readFileSync(FUNCTIONS_FILE, 'utf8'));

  it('ends with the checksum of every function: `npm run migrations:checksum` adds it', () => {
    const last = new Map(lines.map(({ name, checksum }) => [name, checksum]));
    expect(
      Object.fromEntries([...last].filter(([, checksum]) => checksum !== null)),
      'Changed, added or removed a function? Run `npm run migrations:checksum`.',
    ).toEqual(
      Object.fromEntries(readFunctions().functions.map(({ name, sql }) => [name, computeChecksum(sql)])),
    );
  });

  it.skipIf(lacksHistory)(
    'keeps every line that was ever committed: their number is the revision (skipped without git history)',
    () => {
      const write = ({ name, checksum }: (typeof lines)[number]) => `${checksum ?? 'removed'}  ${name}`;
      const kept = new Set(lines.map(write));
      const lost = (history ?? []).flatMap(({ commit, functionHistory }) =>
        parseFunctionHistory(functionHistory)
          .map(write)
          .filter((line) => !kept.has(line))
          .map((line) => `${line} of ${commit}`),
      );
      expect(lost).toEqual([]);
      const longest = Math.max(
        0,
        ...(history ?? []).map(({ functionHistory }) => parseFunctionHistory(functionHistory).length),
      );
      expect(lines.length).toBeGreaterThanOrEqual(longest);
    },
  );
});
