import { text } from 'node:stream/consumers';
import { UsageFailure } from '../failure.ts';

/**
 * A secret as typed. What stands on a command line is seen by every user of the machine in the list of processes,
 * so `-` reads it from stdin.
 */
export async function readSecret(flag: string, typed: string | undefined): Promise<string | undefined> {
  if (typed !== '-') return typed;
  const secret = (await text(process.stdin)).trim();
  if (secret === '') throw new UsageFailure(`${flag} -: nothing came on stdin`);
  return secret;
}
