import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { hasEmbeddedCluster } from './embedded-place.ts';
import { createFolder } from '../create-folder.ts';
import { explainFileError } from '../explain/explain-file-error.ts';
import { StartFailure } from '../start-failure.ts';

/** Secrets of embedded mode, kept in `DATA_DIR/secrets.json` (mode 0600). */
export interface EmbeddedSecrets {
  databasePassword: string;
  /** 32 bytes, base64. */
  encryptionKey: string;
}

export function secretsPath(dataDir: string): string {
  return path.join(dataDir, 'secrets.json');
}

/**
 * Reads the secrets of a data directory. They are created only when the directory has no database yet.
 * @throws StartFailure when they are missing or unreadable next to a database
 */
export function readEmbeddedSecrets(dataDir: string): EmbeddedSecrets {
  const file = secretsPath(dataDir);
  try {
    createFolder(dataDir);
    if (!existsSync(file)) {
      if (hasEmbeddedCluster(dataDir)) throw missingSecrets(file, 'is missing');
      createSecrets(file);
    }
    return parseSecrets(file, readFileSync(file, 'utf8'));
  } catch (error) {
    throw explainFileError(error, dataDir);
  }
}

/** True when the secrets of a data directory can be read. */
export function hasEmbeddedSecrets(dataDir: string): boolean {
  try {
    parseSecrets(secretsPath(dataDir), readFileSync(secretsPath(dataDir), 'utf8'));
    return true;
  } catch {
    return false;
  }
}

/** Replaces the existing secrets atomically. */
export function writeEmbeddedSecrets(dataDir: string, secrets: EmbeddedSecrets): void {
  const file = secretsPath(dataDir);
  renameSync(writeDraft(file, secrets), file);
}

export function mintEmbeddedSecrets(): EmbeddedSecrets {
  return {
    databasePassword: randomBytes(24).toString('hex'),
    encryptionKey: randomBytes(32).toString('base64'),
  };
}

function createSecrets(file: string): void {
  // A link appears whole or not at all, and never over a file that is there.
  const draft = writeDraft(file, mintEmbeddedSecrets());
  try {
    linkSync(draft, file);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    rmSync(draft);
  }
}

function writeDraft(file: string, secrets: EmbeddedSecrets): string {
  const draft = `${file}.${randomUUID()}`;
  writeFileSync(draft, JSON.stringify(secrets, null, 2), { mode: 0o600 });
  return draft;
}

function parseSecrets(file: string, text: string): EmbeddedSecrets {
  try {
    const parsed: Partial<EmbeddedSecrets> | null = JSON.parse(text);
    const { databasePassword, encryptionKey } = parsed ?? {};
    if (typeof databasePassword === 'string' && typeof encryptionKey === 'string')
      return { databasePassword, encryptionKey };
  } catch {
    // Reported below, like a file that lacks a member.
  }
  throw missingSecrets(file, 'is damaged');
}

function missingSecrets(file: string, state: string): StartFailure {
  return new StartFailure(
    `${file} ${state}, and this installation has a database: provider credentials, authenticator apps, recovery codes, logged payloads and unsent emails cannot be read without its key`,
    'Restore secrets.json from a backup. If there is none, `tollgate secrets replace --accept-loss` creates a new key and deletes what only the lost one can read.',
  );
}
