import { describe, expect, it } from 'vitest';
import { requestsSearchSchema } from '../search.ts';
import { isUnchanged, toSavedFilter, toViewSearch } from './view-filter.ts';

const FILTER = { status: '4xx', range: '24h', minCost: '0.05' } as const;

describe('the filter of a view', () => {
  it('has the filters of the page, but not its drawer, its view or the time zone', () => {
    const search = { ...FILTER, live: 'off', request: 'req_1', view: 'view_1' } as const;
    expect(toSavedFilter(search)).toEqual(FILTER);
  });

  it('opens with every filter in its URL', () => {
    const search = toViewSearch({ id: 'view_1', filter: FILTER });
    expect(requestsSearchSchema.parse(search)).toEqual({ ...FILTER, view: 'view_1' });
  });

  it('is compared in any order', () => {
    expect(isUnchanged({ minCost: '0.05', range: '24h', status: '4xx', view: 'view_1' }, FILTER)).toBe(true);
    expect(isUnchanged({ status: '4xx', range: '7d' }, FILTER)).toBe(false);
  });
});
