import { z } from 'zod';

/** Parses `a,b`; the limits are those of a key's scope. */
export const modelListOption = z.string().transform((text) =>
  text
    .split(',')
    .map((id) => id.trim())
    .filter((id) => id !== ''),
);
