import { z } from 'zod';

/**
 * Where to go on after a detour, such as an invitation whose e-mail had to be verified first: a path inside the console.
 * `//elsewhere.example` and absolute URLs are none, and neither is what a URL would have to escape.
 */
export const returnPathSchema = z
  .string()
  .max(500, 'Name a shorter page of the console')
  .regex(/^\/(?![/\\])[!-~]*$/, 'Name a page of the console, such as /keys');

/** @returns undefined where it is no path inside the console */
export function toReturnPath(candidate: string | undefined): string | undefined {
  return returnPathSchema.safeParse(candidate).data;
}
