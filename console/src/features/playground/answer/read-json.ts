import { z } from 'zod';

/** A number of tokens; 0 if missing or null. */
export const count = z
  .int()
  .min(0)
  .nullish()
  .transform((tokens) => tokens ?? 0);

/** @returns null if the text is not JSON */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const errorSchema = z.object({ error: z.object({ message: z.string() }) });

/** The message of an error in either dialect; null if there is no error. */
export function describeErrorBody(json: unknown): string | null {
  const parsed = errorSchema.safeParse(json);
  return parsed.success ? parsed.data.error.message : null;
}
