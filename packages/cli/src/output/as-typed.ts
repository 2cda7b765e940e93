import { readDataDirVariable, readInvocation } from '../env.ts';

/** A command at the beginning of a line, after `$` or variables, or in backticks. */
const COMMAND = /(^[ \t]*(?:\$ )?(?:[A-Z_]+=\S+ )*|`)tollgate (?=[a-z-])/gm;

/**
 * Writes the commands in a text as the user can type them: `npm run -s tollgate -- key list` in a checkout, with DATA_DIR if
 * it is set.
 */
export function asTyped(text: string, invocation = `${readDataDirVariable()}${readInvocation()}`): string {
  return text.replaceAll(COMMAND, (_, before: string) => `${before}${invocation} `);
}
