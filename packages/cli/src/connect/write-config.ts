import {
  chmodSync,
  existsSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { ConfigFile } from '@tollgate/core/clients/client';
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';
import { Failure } from '../failure.ts';
import { expandHome } from './config-folder.ts';
import { mergeConfig } from './merge-config.ts';

/** Only the owner can read it: configurations of agents often contain keys of other services. */
const PRIVATE = 0o600;

/** What writing a configuration would change. */
export interface ConfigPlan {
  /** The absolute path. */
  file: string;
  /** null: the file does not exist yet. */
  existing: string | null;
  text: string;
  /** A unified diff; '' if nothing changes. */
  diff: string;
}

/** @throws Failure if the existing file cannot be read or extended; it stays as it is */
export function planConfig(config: ConfigFile, home: string): ConfigPlan {
  const file = expandHome(config.path, home);
  const existing = readExisting(file);
  try {
    const text = mergeConfig(config, existing);
    const hasChanges = text !== existing;
    const diff = hasChanges
      ? createTwoFilesPatch(config.path, config.path, existing ?? '', text, undefined, undefined, {
          context: 3,
          headerOptions: FILE_HEADERS_ONLY,
        })
      : '';
    return { file, existing, text, diff };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Failure(
      'config_unreadable',
      `${config.path} was not changed: ${reason}. Add the configuration yourself: run the command without --write.`,
    );
  }
}

function readExisting(file: string): string | null {
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
}

/**
 * Writes the file in one step, so that the client never reads a half. An existing file keeps its mode and gets a backup.
 * @returns the path of the backup; null: the file is new
 * @throws Failure if the file is no longer as it was when the changes were shown
 */
export function writeConfig({ file, existing, text }: ConfigPlan, nowMs: number): string | null {
  if (readExisting(file) !== existing)
    throw new Failure(
      'config_changed',
      `${file} was changed by another program. Nothing was written: run the command again.`,
    );
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  // A link stays a link, for example into a repository of settings.
  const target = existing === null ? file : realpathSync(file);
  const stamp = new Date(nowMs).toISOString().replaceAll(/[-:.]/g, '');
  const backup = existing === null ? null : `${target}.backup-${stamp}`;
  if (backup !== null && existing !== null) writeFileSync(backup, existing, { mode: PRIVATE, flag: 'wx' });
  const mode = existing === null ? PRIVATE : statSync(target).mode & 0o777;
  const next = `${target}.next-${process.pid}`;
  writeFileSync(next, text, { mode: PRIVATE, flag: 'wx' });
  chmodSync(next, mode);
  renameSync(next, target);
  return backup;
}
