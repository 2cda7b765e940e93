import { describe, expect, it } from 'vitest';
import { visitorTimeZone } from '../../lib/format/time-zone.ts';
import { countFilters, requestsSearchSchema, toFilter } from './search.ts';

describe('requestsSearchSchema', () => {
  it('parses the URL, including numbers', () => {
    const search = requestsSearchSchema.parse({ status: 429, minCost: 0.05, range: '24h', request: 'req_1' });
    expect(search).toEqual({ status: '429', minCost: '0.05', range: '24h', request: 'req_1' });
    expect(toFilter(search)).toEqual({
      status: '429',
      minCost: '0.05',
      range: '24h',
      zone: visitorTimeZone(),
    });
    expect(countFilters(search)).toBe(2);
  });

  it('drops invalid filters', () => {
    const search = requestsSearchSchema.parse({
      status: 'good',
      minCost: 'free',
      range: 'ever',
      from: 'then',
      request: 'key_1',
      live: 'on',
    });
    expect(toFilter(search)).toEqual({ zone: visitorTimeZone() });
    expect(search.request).toBeUndefined();
  });
});
