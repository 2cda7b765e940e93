import { existsSync } from 'node:fs';
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

/** Files that a client reads after the usual one, from the same folder: their settings win. */
const LATER_FILES: Readonly<Record<string, string>> = {
  // https://opencode.ai/docs/config/
  '~/.config/opencode/opencode.json': 'opencode.jsonc',
};

/**
 * The setup with the path of its file on this machine. A variable of the client may name another folder, and another file in
 * it may win.
 */
export function locateSetup(setup: ClientSetup, env: CliEnv): ClientSetup {
  if (setup.file === null) return setup;
  const { path: usual } = setup.file;
  const file = findFile(usual, env);
  const later = LATER_FILES[usual];
  const winner = later === undefined ? file : path.join(path.dirname(file), later);
  return {
    ...setup,
    file: { ...setup.file, path: existsSync(expandHome(winner, env.HOME)) ? winner : file },
  };
}

function findFile(usual: string, env: CliEnv): string {
  const found = FOLDERS.find(({ folder }) => usual.startsWith(`${folder}/`));
  const place = found === undefined ? undefined : env[found.variable];
  if (found === undefined || place === undefined) return usual;
  // Its specification ignores relative paths.
  if (found.variable === 'XDG_CONFIG_HOME' && !path.isAbsolute(place)) return usual;
  return path.join(path.resolve(place), usual.slice(found.folder.length));
}

/** The absolute path of a file whose path may start with `~`. */
export function expandHome(file: string, home: string): string {
  return file.startsWith('~/') ? path.join(home, file.slice(2)) : file;
}
