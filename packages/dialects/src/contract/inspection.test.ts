import { expect, it } from 'vitest';
import type { RateNeed } from '@tollgate/core/money/rates/rate-need';
import { withLargerResults } from './inspection.ts';

const search = (resultTokens?: number): RateNeed => ({
  kind: 'tool_calls',
  tool: 'web_search',
  maxCalls: 5,
  ...(resultTokens !== undefined && { resultTokens }),
});

it('keeps the larger results of two needs for the same tool', () => {
  expect(withLargerResults(search(1), search(1), search(2))).toEqual(search(2));
  expect(withLargerResults(search(1), search(2), search(1))).toEqual(search(2));
});

it('keeps results without a limit, whichever need has them', () => {
  expect(withLargerResults(search(1), search(), search(1))).toEqual(search());
  expect(withLargerResults(search(1), search(1), search())).toEqual(search());
});
