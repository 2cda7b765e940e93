import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { NODE_FLAGS } from './vitest.node-flags.ts';
import { CLIENTS } from './vitest.suites.ts';

export default defineConfig({
  test: {
    globalSetup: ['packages/testing/src/global-setup.ts'],
    include: CLIENTS,
    execArgv: NODE_FLAGS,
    hookTimeout: 30_000,
    expect: { poll: { timeout: 15_000 } },
    maxWorkers: availableParallelism(),
  },
});
