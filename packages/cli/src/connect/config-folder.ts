import path from 'node:path';
import type { ClientSetup } from '@tollgate/core/clients/client';
import type { CliEnv } from '../env.ts';

/** Variables that clients read for another folder of their configuration. */
const FOLDERS = [
  // https://developers.openai.com/codex/config-advanced
  { folder: '~/.codex', variable: 'CODEX_HOME' },
  // https://code.claude.com/docs/en/settings
  { folder: '~/.claude', variable: 'CLAUDE_CONFIG_DIR' },
  // https://specifications.freedesktop.org/basedir-spec/latest/
  { folder: '~/.config', variable: 'XDG_CONFIG_HOME' },
] as const;

/** The setup with the path of its file on this machine: a variable of the client may name another folder. */
export function locateSetup(setup: ClientSetup, env: CliEnv): ClientSetup {
  if (setup.file === null) return setup;
  const { path: usual } = setup.file;
  const found = FOLDERS.find(({ folder }) => usual.startsWith(`${folder}/`));
  const place = found === undefined ? undefined : env[found.variable];
  if (found === undefined || place === undefined) return setup;
  // Its specification ignores relative paths.
  if (found.variable === 'XDG_CONFIG_HOME' && !path.isAbsolute(place)) return setup;
  const file = path.join(path.resolve(place), usual.slice(found.folder.length));
  return { ...setup, file: { ...setup.file, path: file } };
}

/** The absolute path of a file whose path may start with `~`. */
export function expandHome(file: string, home: string): string {
  return file.startsWith('~/') ? path.join(home, file.slice(2)) : file;
}
