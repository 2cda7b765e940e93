import { keyTagsSchema } from '@tollgate/core/keys/key-tags';
import { z } from 'zod';

/** Parses `a,b`. */
export const tagListOption = z
  .string()
  .transform((text) => text.split(','))
  .pipe(keyTagsSchema);
