import { expect, it } from 'vitest';
import { sumCores } from './background-load.ts';

const STAT = `cpu  500 0 300 900 50 0 20 10 0 0
cpu0 100 0 50 800 20 0 10 20 0 0
cpu1 200 0 0 100 0 0 0 0 0 0
cpu10 9 9 9 9 9 9 9 9 9 9
`;

it('counts all but idle and waiting for the disk as busy, only on the given cores', () => {
  expect(sumCores(STAT, [0])).toEqual({ busy: 180, all: 1_000 });
  expect(sumCores(STAT, [0, 1])).toEqual({ busy: 380, all: 1_300 });
});
