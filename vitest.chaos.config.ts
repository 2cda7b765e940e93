import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { LongestFirst } from './vitest.sequencer.ts';
import { NODE_FLAGS } from './vitest.node-flags.ts';
import { CHAOS, CLOCKED_CHAOS } from './vitest.suites.ts';

const options = { cwd: import.meta.dirname };
const all = new Set(globSync(CHAOS, options));
const clocked = globSync(CLOCKED_CHAOS, options).filter((file) => all.has(file));

export default defineConfig({
  test: {
    globalSetup: ['packages/testing/src/global-setup.ts', 'vitest.build-api.ts'],
    execArgv: NODE_FLAGS,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    expect: { poll: { timeout: 15_000 } },
    restoreMocks: true,
    // The files leave nothing behind, and share a process and what it has imported.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'clocked',
          include: clocked,
          maxWorkers: Math.max(1, availableParallelism() - 1),
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'others',
          include: CHAOS,
          exclude: [...configDefaults.exclude, ...clocked],
          // These wait for processes, timers and disks for half of the time.
          maxWorkers: availableParallelism() + 1,
          sequence: { groupOrder: 0 },
        },
      },
    ],
  },
});
