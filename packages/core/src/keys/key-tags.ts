import { z } from 'zod';

const KEY_TAG_LIMITS = { tags: 10, length: 32 } as const;

/** A word to find keys by; it says nothing of what a key may do. */
export const keyTagSchema = z
  .string()
  .trim()
  .min(1, 'A tag has at least one character')
  .max(KEY_TAG_LIMITS.length, `A tag has at most ${KEY_TAG_LIMITS.length} characters`)
  .regex(/^[^\p{C},]*$/u, 'A tag holds no commas');

export const keyTagsSchema = z
  .array(keyTagSchema)
  .max(KEY_TAG_LIMITS.tags, `A key has at most ${KEY_TAG_LIMITS.tags} tags`)
  .refine((tags) => new Set(tags).size === tags.length, 'A tag is there twice');
