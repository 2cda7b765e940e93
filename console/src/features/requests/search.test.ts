import { describe, expect, it } from 'vitest';
import { countFilters, requestsSearchSchema, toFilter } from './search.ts';

describe('requestsSearchSchema', () => {
  it('reads what a URL says, numbers included', () => {
    const search = requestsSearchSchema.parse({ status: 429, minCost: 0.05, range: '24h', request: 'req_1' });
    expect(search).toEqual({ status: '429', minCost: '0.05', range: '24h', request: 'req_1' });
    expect(toFilter(search)).toEqual({ status: '429', minCost: '0.05', range: '24h' });
    expect(countFilters(search)).toBe(2);
  });

  it('drops what is no filter', () => {
    const search = requestsSearchSchema.parse({
      status: 'good',
      minCost: 'free',
      range: 'ever',
      from: 'then',
      request: 'key_1',
      live: 'on',
    });
    expect(toFilter(search)).toEqual({});
    expect(search.request).toBeUndefined();
  });
});
