import { expect, it } from 'vitest';
import { runCuts } from './continued/run-cuts.ts';

it('continues streams that break off at random places', async () => {
  const { continued } = await runCuts({ cases: 40, seed: 1 });
  expect(continued).toBeGreaterThan(20);
});
