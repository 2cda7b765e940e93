import { z } from 'zod';
import { innermostIssue } from './deny-issue.ts';

/** The schema of a list's entries, to describe it: to zod itself they are unknown. */
export const listEntries = new WeakMap<object, z.ZodType>();

const anyList = z.array(z.unknown());

/**
 * A list whose reading ends at the first entry that does not fit. Zod's own gathers an error for every entry, and a body of
 * the permitted size has room for millions of them: seconds in which no other request would be served.
 * @param bounds a list of anything, with limits to its length if any
 */
export function listSchema<Entry extends z.ZodType>(entry: Entry, bounds = anyList) {
  const entries = bounds.clone();
  listEntries.set(entries, entry);
  return entries.transform((list, context): z.output<Entry>[] => {
    const read: z.output<Entry>[] = [];
    for (const [index, value] of list.entries()) {
      const parsed = entry.safeParse(value);
      if (!parsed.success) {
        const [first] = parsed.error.issues;
        if (first !== undefined) {
          const { path, message } = innermostIssue(first, [index]);
          context.issues.push({ code: 'custom', path, message, input: value });
        }
        return z.NEVER;
      }
      read.push(parsed.data);
    }
    return read;
  });
}
