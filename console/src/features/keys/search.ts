import { z } from 'zod';

export const KEY_STATES = ['active', 'expiring', 'ended'] as const;
export type KeyListState = (typeof KEY_STATES)[number];

export const KEY_SORTS = ['created', 'name', 'spent', 'used'] as const;

/** State of the list in the URL. Defaults are omitted. */
export const keysSearchSchema = z.object({
  state: z.enum(KEY_STATES).optional().catch(undefined),
  q: z.coerce.string().max(100).optional().catch(undefined),
  /** Only keys that can call this model. */
  model: z.coerce.string().min(1).max(200).optional().catch(undefined),
  tag: z.coerce.string().min(1).max(32).optional().catch(undefined),
  /** Absent for newest first. */
  sort: z.enum(KEY_SORTS).optional().catch(undefined),
  order: z.enum(['asc', 'desc']).optional().catch(undefined),
});

export type KeysSearch = z.infer<typeof keysSearchSchema>;

/** Query parameters for the server. */
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

/** True if any filter besides the state is set. */
export function isNarrowed({ q = '', model, tag }: KeysSearch): boolean {
  return q !== '' || model !== undefined || tag !== undefined;
}
