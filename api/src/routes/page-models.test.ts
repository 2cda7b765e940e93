import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pageModels } from './page-models.ts';

const list = (count: number) => Array.from({ length: count }, (_, index) => ({ id: `m${index}` }));

function walk(all: { id: string }[], limit: number, direction: 'after_id' | 'before_id'): string[] {
  const seen: string[] = [];
  // Backwards, paging starts at the end: before the last model, which is a page by then.
  let cursor = direction === 'before_id' ? all.at(-1)?.id : undefined;
  for (;;) {
    const query = cursor === undefined ? `?limit=${limit}` : `?limit=${limit}&${direction}=${cursor}`;
    const page = pageModels(all, query);
    if (!page.ok) throw new Error(page.error.message);
    const ids = page.value.items.map((item) => item.id);
    if (direction === 'after_id') seen.push(...ids);
    else seen.unshift(...ids);
    cursor = direction === 'after_id' ? ids.at(-1) : ids.at(0);
    if (!page.value.hasMore) return seen;
  }
}

describe('a page of models', () => {
  it('follows the previous page until every model was listed once, in either direction', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 25 }), (count, limit) => {
        const all = list(count);
        const ids = all.map((model) => model.id);
        expect(walk(all, limit, 'after_id')).toEqual(ids);
        expect(walk(all, limit, 'before_id')).toEqual(ids.slice(0, -1));
      }),
    );
  });

  it('has twenty models by default', () => {
    expect(pageModels(list(30), '')).toMatchObject({ ok: true, value: { hasMore: true } });
    const page = pageModels(list(20), '');
    expect(page).toEqual({ ok: true, value: { items: list(20), hasMore: false } });
  });

  it.each([
    ['?limit=0', 'limit'],
    ['?limit=1001', 'limit'],
    ['?limit=many', 'limit'],
    ['?after_id=missing', 'after_id'],
    ['?before_id=missing', 'before_id'],
    ['?before_id=m1&after_id=m0', 'before_id'],
  ])('refuses %s and names %s', (query, param) => {
    expect(pageModels(list(3), query)).toMatchObject({
      ok: false,
      error: { code: 'invalid_request', param },
    });
  });
});
