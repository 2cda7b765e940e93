import { deny, type Result } from '@tollgate/core/errors/errors';
import { z } from 'zod';

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 1_000;

/** How Anthropic's API pages through a list (https://docs.anthropic.com/en/api/models-list). */
export const modelPageQuerySchema = z.object({
  limit: z.coerce.number().int().min(1).max(MAX_LIMIT).default(DEFAULT_LIMIT),
  after_id: z.string().optional().meta({ description: 'The page that starts after this model' }),
  before_id: z.string().optional().meta({ description: 'The page that ends before this model' }),
});

export interface ModelPage<T> {
  items: T[];
  /** In the caller's paging direction. */
  hasMore: boolean;
}

/**
 * Returns one page of a list.
 * @param query with the question mark, or empty
 * @returns `invalid_request` that names the invalid parameter
 */
export function pageModels<T extends { id: string }>(all: readonly T[], query: string): Result<ModelPage<T>> {
  const parsed = modelPageQuerySchema.safeParse(Object.fromEntries(new URLSearchParams(query)));
  if (!parsed.success) {
    const param = String(parsed.error.issues[0]?.path[0] ?? 'limit');
    return deny('invalid_request', `${param} must be a whole number from 1 to ${MAX_LIMIT}.`, { param });
  }
  const { limit, after_id: afterId, before_id: beforeId } = parsed.data;
  if (afterId !== undefined && beforeId !== undefined)
    return deny('invalid_request', 'Give after_id or before_id, not both.', { param: 'before_id' });
  if (beforeId !== undefined) {
    const end = all.findIndex((model) => model.id === beforeId);
    if (end < 0) return unknownCursor('before_id');
    const start = Math.max(0, end - limit);
    return { ok: true, value: { items: all.slice(start, end), hasMore: start > 0 } };
  }
  const start = afterId === undefined ? 0 : all.findIndex((model) => model.id === afterId) + 1;
  if (afterId !== undefined && start === 0) return unknownCursor('after_id');
  const items = all.slice(start, start + limit);
  return { ok: true, value: { items, hasMore: start + items.length < all.length } };
}

function unknownCursor(param: string) {
  return deny('invalid_request', `${param} is not a model that this key can use.`, { param });
}
