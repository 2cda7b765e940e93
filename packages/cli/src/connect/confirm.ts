import { createInterface } from 'node:readline/promises';
import { Failure } from '../failure.ts';

/**
 * Asks on the terminal. The question goes to stderr, so that stdout has only the result.
 * @throws Failure if there is no terminal
 */
export async function confirm(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) throw new Failure('confirmation_needed', `${question} Add --yes to confirm.`);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(?:es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim());
  } catch (error) {
    // Ctrl-C and Ctrl-D are a no. The line of the question has no end yet.
    if (!(error instanceof Error) || error.name !== 'AbortError') throw error;
    process.stderr.write('\n');
    return false;
  } finally {
    terminal.close();
  }
}
