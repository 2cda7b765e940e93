import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

const MIGRATIONS_DIR = new URL('../migrations/', import.meta.url);
const FILE_PATTERN = /^(\d{4})_[a-z0-9_]+\.sql$/;

export interface Migration {
  version: number;
  name: string;
  sql: string;
}

/** The migrations of this checkout, in order. @throws Error when a number is missing or used twice */
export function readMigrations(): Migration[] {
  const files = readdirSync(MIGRATIONS_DIR).filter((file) => file.endsWith('.sql'));
  return orderMigrations(
    files.map((name) => ({ name, sql: readFileSync(new URL(name, MIGRATIONS_DIR), 'utf8') })),
  );
}

/** The schema version of this checkout, without reading the files. */
export function newestVersion(): number {
  return readdirSync(MIGRATIONS_DIR).filter((file) => file.endsWith('.sql')).length;
}

/** Numbers files by their names. @throws Error when a number is missing or used twice */
export function orderMigrations(files: readonly Omit<Migration, 'version'>[]): Migration[] {
  return files
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map((file, index) => {
      const version = Number(FILE_PATTERN.exec(file.name)?.[1]);
      if (version !== index + 1)
        throw new Error(`db/migrations/${file.name} is out of order: expected version ${index + 1}`);
      return { version, ...file };
    });
}

/** SHA-256 in hex of a migration's text. Line ends do not count: a checkout on Windows may change them. */
export function computeChecksum(sql: string): string {
  return createHash('sha256').update(sql.replaceAll('\r\n', '\n')).digest('hex');
}
