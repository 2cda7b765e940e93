import { z } from 'zod';

const KEY_TAG_LIMITS = { tags: 10, length: 32 } as const;

/** A label for finding keys; it does not affect permissions. */
export const keyTagSchema = z
  .string()
  .trim()
  .min(1, 'A tag must have at least one character')
  .max(KEY_TAG_LIMITS.length, `A tag can have at most ${KEY_TAG_LIMITS.length} characters`)
  .regex(/^[^\p{C},]*$/u, 'A tag cannot contain commas');

export const keyTagsSchema = z
  .array(keyTagSchema)
  .max(KEY_TAG_LIMITS.tags, `A key can have at most ${KEY_TAG_LIMITS.tags} tags`)
  .refine((tags) => new Set(tags).size === tags.length, 'A tag is listed twice');
