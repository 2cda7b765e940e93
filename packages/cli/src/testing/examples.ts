import type { Command } from 'commander';
import type { Tollgate } from './run-tollgate.ts';

/** Every command with its path: `key create`. */
export function listLeaves(
  command: Command,
  path: readonly string[] = [],
): { path: string; command: Command }[] {
  if (command.commands.length === 0) return [{ path: path.join(' '), command }];
  return command.commands.flatMap((each) => listLeaves(each, [...path, each.name()]));
}

/** The examples in the help of a command, as printed. */
export async function listExamples(tollgate: Tollgate, path: string): Promise<string[]> {
  const { stdout } = await tollgate(`${path} --help`);
  return [...stdout.matchAll(/^ {2}\$ (.+)$/gm)].map(([, line = '']) => line);
}

/** Splits a line like a shell: quotes, variables before the command, and an input file. */
export function parseLine(line: string): { argv: string[]; file: string | null } {
  const words = [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? '',
  );
  const start = words.indexOf('tollgate') + 1;
  const redirect = words.indexOf('<');
  return {
    argv: words.slice(start, redirect < 0 ? undefined : redirect),
    file: redirect < 0 ? null : (words[redirect + 1] ?? null),
  };
}
