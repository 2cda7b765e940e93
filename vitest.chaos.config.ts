import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { CHAOS } from './vitest.suites.ts';

export default defineConfig({
  test: {
    globalSetup: ['packages/testing/src/global-setup.ts'],
    include: CHAOS,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    restoreMocks: true,
    // They start processes of their own and measure time.
    maxWorkers: Math.max(1, availableParallelism() - 1),
  },
});
