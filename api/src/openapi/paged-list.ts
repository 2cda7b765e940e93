import { z } from 'zod';

/** The query of a list in pages. */
export const pageQuery = z.object({
  limit: z.int().min(1).max(100).optional().meta({ description: '20 by default' }),
  order: z.enum(['asc', 'desc']).optional().meta({ description: '`desc` by default' }),
  after: z.string().optional().meta({ description: 'The id of the last item of the page before' }),
});

/** A page of entries. */
export function describePage<Entry extends z.ZodType>(entry: Entry) {
  return z.object({
    object: z.literal('list'),
    data: z.array(entry),
    first_id: z.string().nullable(),
    last_id: z.string().nullable(),
    has_more: z.boolean(),
  });
}
