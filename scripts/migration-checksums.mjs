import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Adds the checksums of new migrations to db/migrations/checksums.txt. The line of an edited migration
 * stays unchanged, because installations have applied the old text.
 * @param {string} root the checkout
 * @param {(line: string) => void} say
 * @returns {number} 1 if a migration was edited after its checksum was written
 */
export function addMigrationChecksums(root, say) {
  const folder = path.join(root, 'db/migrations');
  const file = path.join(folder, 'checksums.txt');
  const known = existsSync(file) ? parseChecksums(readFileSync(file, 'utf8')) : new Map();
  const actual = readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .toSorted()
    .map((name) => [name, computeChecksum(readFileSync(path.join(folder, name), 'utf8'))]);
  const edited = actual.filter(([name, checksum]) => known.has(name) && known.get(name) !== checksum);
  if (edited.length > 0) {
    say(`${edited.map(([name]) => name).join(', ')}: edited after its checksum was written.`);
    say('If it is on main: undo the edit and add a new migration.');
    say('If it never left your branch: delete its line in db/migrations/checksums.txt, then run this again.');
    return 1;
  }
  // A migration that was renumbered on a branch replaces its old line.
  writeFileSync(file, actual.map(([name, checksum]) => `${checksum}  ${name}\n`).join(''));
  const added = actual.filter(([name]) => !known.has(name)).map(([name]) => name);
  say(added.length === 0 ? 'Every migration has its checksum.' : `Added ${added.join(', ')}`);
  return 0;
}

/**
 * Appends a line to db/functions/checksums.txt for each SQL function whose text changed, and for each that was removed.
 * The lines before it stay: their number is the revision, by which a release recognizes functions of a newer one.
 * @param {string} root the checkout
 * @param {(line: string) => void} say
 */
export function addFunctionChecksums(root, say) {
  const folder = path.join(root, 'db/functions');
  const file = path.join(folder, 'checksums.txt');
  const history = existsSync(file) ? readFileSync(file, 'utf8') : '';
  // The last line of a function counts.
  const last = new Map(
    [...history.matchAll(/^([0-9a-f]{64}|removed) {2}(\S+)$/gm)].map(([, checksum, name]) => [
      name,
      checksum,
    ]),
  );
  const actual = new Map(
    readdirSync(folder)
      .filter((name) => name.endsWith('.sql'))
      .toSorted()
      .map((name) => [name, computeChecksum(readFileSync(path.join(folder, name), 'utf8'))]),
  );
  for (const name of last.keys()) if (!actual.has(name)) actual.set(name, 'removed');
  const changed = [...actual].filter(([name, checksum]) => last.get(name) !== checksum);
  appendFileSync(file, changed.map(([name, checksum]) => `${checksum}  ${name}\n`).join(''));
  const names = changed.map(([name]) => name).join(', ');
  say(changed.length === 0 ? 'Every function has its checksum.' : `Added the new checksum of ${names}`);
}

/** Parses `sha256sum` lines and ignores others, such as conflict markers. */
function parseChecksums(text) {
  return new Map(
    [...text.matchAll(/^([0-9a-f]{64}) {2}(\S+)$/gm)].map(([, checksum, name]) => [name, checksum]),
  );
}

/** Same as `computeChecksum` in db/src/migration-files.ts. */
function computeChecksum(text) {
  return createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex');
}
