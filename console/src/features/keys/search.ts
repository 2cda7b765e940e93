import { z } from 'zod';

export const KEY_STATES = ['active', 'expiring', 'ended'] as const;
export type KeyListState = (typeof KEY_STATES)[number];

const KEY_SORTS = ['created', 'name', 'spent', 'used'] as const;
export type KeySort = (typeof KEY_SORTS)[number];

/** What of the list is shown, kept in the URL. The defaults are absent from it. */
export const keysSearchSchema = z.object({
  state: z.enum(KEY_STATES).optional().catch(undefined),
  q: z.coerce.string().max(100).optional().catch(undefined),
  /** Keys that may call it. */
  model: z.coerce.string().min(1).max(200).optional().catch(undefined),
  tag: z.coerce.string().min(1).max(32).optional().catch(undefined),
  /** Absent: the newest first. */
  sort: z.enum(KEY_SORTS).optional().catch(undefined),
  order: z.enum(['asc', 'desc']).optional().catch(undefined),
});

export type KeysSearch = z.infer<typeof keysSearchSchema>;

/** The choice as the server is asked with it. */
export function toKeyQuery({ state = 'active', q = '', model, tag, sort = 'created', order }: KeysSearch) {
  return {
    state,
    sort,
    isAscending: order === 'asc',
    ...(q === '' ? {} : { search: q }),
    ...(model === undefined ? {} : { model }),
    ...(tag === undefined ? {} : { tag }),
  };
}

/** True where the list is narrowed beside its state. */
export function isNarrowed({ q = '', model, tag }: KeysSearch): boolean {
  return q !== '' || model !== undefined || tag !== undefined;
}
