import { z } from 'zod';

/**
 * Where to return after a detour such as email verification: a path inside the console.
 * Rejects `//elsewhere.example`, absolute URLs and characters that need escaping.
 */
export const returnPathSchema = z
  .string()
  .max(500, 'Enter a shorter console path')
  .regex(/^\/(?![/\\])[!-~]*$/, 'Enter a console path, such as /keys');

/** @returns undefined if it is not a path inside the console */
export function toReturnPath(candidate: string | undefined): string | undefined {
  return returnPathSchema.safeParse(candidate).data;
}
