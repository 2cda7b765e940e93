import { SESSION_SOURCES } from '@tollgate/core/requests/route-choice';
import { expect, it } from 'vitest';
import { describeRouteChoice } from './describe-route-choice.ts';

it('explains each choice in its own words', () => {
  const choices = ['priority', 'weight', ...SESSION_SOURCES.map((source) => `session ${source}`)];
  const texts = choices.map(describeRouteChoice);
  expect(new Set(texts).size).toBe(choices.length);
  for (const text of texts) expect(text).not.toContain('chosen by:');
});

it('shows a choice of a newer release as it is', () => {
  expect(describeRouteChoice('latency 312 ms')).toBe('The first route was chosen by: latency 312 ms.');
});
