import { deny, type Result } from '@tollgate/core/errors/errors';

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;

/** Which part of a list a caller asks for: https://platform.openai.com/docs/api-reference/responses/input-items */
export interface PageQuery {
  limit: number;
  isAscending: boolean;
  /** The last id of the page before; null: the first page. */
  after: string | null;
}

interface Page<Item> {
  data: readonly Item[];
  first_id: string | null;
  last_id: string | null;
  has_more: boolean;
}

/** @param query with the question mark, or empty */
export function parsePageQuery(query: string): Result<PageQuery> {
  const params = new URLSearchParams(query);
  const limit = Number(params.get('limit') ?? DEFAULT_LIMIT);
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT)
    return deny('invalid_request', `limit must be a whole number from 1 to ${MAX_LIMIT}.`, {
      param: 'limit',
    });
  const order = params.get('order') ?? 'desc';
  if (order !== 'asc' && order !== 'desc')
    return deny('invalid_request', 'order must be asc or desc.', { param: 'order' });
  return { ok: true, value: { limit, isAscending: order === 'asc', after: params.get('after') } };
}

/** @param items with one more than the limit if there are more */
export function toPage<Item extends { id: string }>(
  items: readonly Item[],
  { limit }: Pick<PageQuery, 'limit'>,
): Page<Item> {
  const data = items.slice(0, limit);
  return {
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: items.length > limit,
  };
}

/**
 * Takes a page, with one more item if there are more.
 * @param items in the order of the query
 * @returns null if `after` names none of them
 */
export function takePage<Item extends { id: string }>(
  items: Iterable<Item>,
  { after, limit }: PageQuery,
): readonly Item[] | null {
  const taken: Item[] = [];
  let hasBegun = after === null;
  for (const item of items) {
    if (hasBegun) taken.push(item);
    else hasBegun = item.id === after;
    if (taken.length > limit) break;
  }
  return hasBegun ? taken : null;
}
