import { text } from 'node:stream/consumers';
import { UsageFailure } from '../failure.ts';

/**
 * Reads a secret. Every user of the machine can see command-line arguments in the process list,
 * so `-` reads it from stdin.
 */
export async function readSecret(flag: string, typed: string | undefined): Promise<string | undefined> {
  if (typed !== '-') return typed;
  const secret = (await text(process.stdin)).trim();
  if (secret === '') throw new UsageFailure(`${flag} -: stdin is empty`);
  return secret;
}
