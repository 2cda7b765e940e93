import { StartFailure } from '@tollgate/db/start-failure';
import { CommanderError } from 'commander';
import { Failure, UsageFailure } from './failure.ts';
import { asTyped } from './output/as-typed.ts';
import { createProgram } from './program.ts';

const EXIT_FAILURE = 1;
const EXIT_USAGE = 2;

/**
 * Runs one command line and sets the exit code.
 * @param argv arguments after `tollgate`
 */
export async function runCommandLine(argv: readonly string[]): Promise<void> {
  const writeError = createErrorWriter(argv.includes('--json'));
  try {
    await createProgram().parseAsync(argv, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) {
      // Commander has already written requested help to stdout.
      if (error.exitCode !== 0) writeError('usage', describeUsage(error, argv), EXIT_USAGE);
    } else if (error instanceof UsageFailure) writeError('usage', error.message, EXIT_USAGE);
    else if (error instanceof Failure) writeError(error.code, error.message, EXIT_FAILURE);
    else if (error instanceof StartFailure)
      writeError('start_failed', `${error.what}. ${error.fix}`, EXIT_FAILURE);
    else writeError('internal_error', describe(error), EXIT_FAILURE);
  }
}

function describeUsage(error: CommanderError, [first = '']: readonly string[]): string {
  const message = error.message.replace(/^error: /, '');
  if (error.code === 'commander.unknownCommand') return `${message}. See \`tollgate --help\``;
  if (error.code !== 'commander.help') return message;
  const group = first === '' || first.startsWith('-') ? '' : `${first} `;
  return `No command given. See \`tollgate ${group}--help\``;
}

/** @param asJson true: writes `{"error":{"code","message"}}` */
function createErrorWriter(asJson: boolean) {
  return (code: string, message: string, exitCode: number): void => {
    const line = asTyped(message).replaceAll(/\s*\n\s*/g, ' ');
    const text = asJson ? JSON.stringify({ error: { code, message: line } }) : line;
    process.stderr.write(`${text}\n`);
    process.exitCode = exitCode;
  };
}

/** Describes an unexpected error in one line. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // A refused connection to several addresses is an AggregateError without a message.
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  return error.message === '' ? code : error.message;
}
