import { CommanderError } from 'commander';
import { Failure, UsageFailure } from './failure.ts';
import { createProgram } from './program.ts';

const EXIT_FAILURE = 1;
const EXIT_USAGE = 2;

// `tollgate … | head` closes the pipe early: that is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

const argv = process.argv.slice(2);
try {
  await createProgram().parseAsync(argv, { from: 'user' });
} catch (error) {
  if (error instanceof CommanderError) endByCommander(error);
  else if (error instanceof UsageFailure) complain('usage', error.message, EXIT_USAGE);
  else if (error instanceof Failure) complain(error.code, error.message, EXIT_FAILURE);
  else complain('internal_error', describe(error), EXIT_FAILURE);
}

function endByCommander(error: CommanderError): void {
  // Help that was asked for is on stdout already; help for want of a command is told in one line.
  if (error.exitCode === 0) return;
  const isHelp = error.code === 'commander.help';
  const message = isHelp
    ? `Which command? See \`tollgate ${groupTyped()}--help\``
    : error.message.replace(/^error: /, '');
  complain('usage', message, EXIT_USAGE);
}

function groupTyped(): string {
  const [first] = argv;
  return first === undefined || first.startsWith('-') ? '' : `${first} `;
}

function complain(code: string, message: string, exitCode: number): void {
  const line = message.replaceAll(/\s*\n\s*/g, ' ');
  process.stderr.write(
    argv.includes('--json') ? `${JSON.stringify({ error: { code, message: line } })}\n` : `${line}\n`,
  );
  process.exitCode = exitCode;
}

/** One line for an error that nobody expected. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // A refused connection to several addresses is an AggregateError without a message.
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  return error.message === '' ? code : error.message;
}
