import { SESSION_SOURCES, type RouteChoice } from '@tollgate/core/requests/route-choice';
import { expect, it } from 'vitest';
import { describeRouteChoice } from './describe-route-choice.ts';

const STRATEGY_CHOICES = [
  'latency 210',
  'latency session 210',
  'latency probe',
  'price 1200000',
  'usage 83',
  'usage session 83',
] satisfies RouteChoice[];

it('explains each choice in its own words', () => {
  const choices = ['priority', 'weight', ...SESSION_SOURCES.map((source) => `session ${source}`)];
  const texts = [...choices, ...STRATEGY_CHOICES].map(describeRouteChoice);
  expect(new Set(texts).size).toBe(choices.length + STRATEGY_CHOICES.length);
  for (const text of texts) expect(text).not.toContain('chosen by:');
});

it.each([
  ['latency 210', 'lowest latency: 210 ms'],
  ['price 1200000', '$0.0012 expected'],
  ['usage 83', 'rate limits: 83%'],
])('shows the number of "%s"', (choice, text) => {
  expect(describeRouteChoice(choice)).toContain(text);
});

it.each(['carbon 312 g', 'carbon 312', 'price -1'])(
  'shows a choice of a newer release as it is: %s',
  (choice) => {
    expect(describeRouteChoice(choice)).toBe(`The first route was chosen by: ${choice}.`);
  },
);
