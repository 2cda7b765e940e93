import { z } from 'zod';

/** `a,b` as typed; the bounds are those of a key's scope. */
export const modelListOption = z.string().transform((text) =>
  text
    .split(',')
    .map((id) => id.trim())
    .filter((id) => id !== ''),
);
