import { expect, it } from 'vitest';
import { runCuts } from '../faults/continued/run-cuts.ts';

it('continues streams that break off at 1,000 random places', async () => {
  const { continued } = await runCuts({ cases: 1_000, seed: 1_001 });
  expect(continued).toBeGreaterThan(500);
}, 120_000);
