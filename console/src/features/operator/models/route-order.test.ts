import { expect, it } from 'vitest';
import { moveRoute, getPlaces, readPlaces } from './route-order.ts';

const ROUTES = [
  {
    id: 'a',
    providerName: 'one',
    upstreamModel: null,
    priority: 0,
    weight: 3,
    servedNames: [],
    contextTokens: null,
    costMultiplier: '1',
    mismatches: null,
    healthCheck: null,
  },
  {
    id: 'b',
    providerName: 'two',
    upstreamModel: 'x',
    priority: 0,
    weight: 1,
    servedNames: [],
    contextTokens: null,
    costMultiplier: '1',
    mismatches: null,
    healthCheck: null,
  },
  {
    id: 'c',
    providerName: 'three',
    upstreamModel: null,
    priority: 7,
    weight: 1,
    servedNames: [],
    contextTokens: null,
    costMultiplier: '1',
    mismatches: null,
    healthCheck: null,
  },
];

it('keeps which routes share traffic', () => {
  expect(getPlaces(ROUTES).map(({ isShared }) => isShared)).toEqual([false, true, false]);
  expect(readPlaces(getPlaces(ROUTES))).toEqual([
    { id: 'a', priority: 0, weight: 3 },
    { id: 'b', priority: 0, weight: 1 },
    { id: 'c', priority: 1, weight: 1 },
  ]);
});

it('moves a route and stops sharing for the first one', () => {
  const moved = moveRoute(getPlaces(ROUTES), 1, 0);
  expect(moved.map(({ id, isShared }) => [id, isShared])).toEqual([
    ['b', false],
    ['a', false],
    ['c', false],
  ]);
  expect(moveRoute(moved, 0, -1)).toEqual(moved);
});

it.each(['0', '1.5', '', 'x', '1001'])('rejects the weight %j', (weight) => {
  expect(readPlaces(getPlaces(ROUTES).map((place) => ({ ...place, weight })))).toBeNull();
});
