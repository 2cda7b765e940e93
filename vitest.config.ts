import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { LongestFirst } from './vitest.sequencer.ts';
import { NODE_FLAGS } from './vitest.node-flags.ts';
import { CHAOS, CLIENTS, COMPONENTS, EVERY_TEST } from './vitest.suites.ts';

/** One more than there are cores: tests wait for timers, files and other processes a part of the time. With two more, they take longer. */
const maxWorkers = availableParallelism() + 1;

export default defineConfig({
  test: {
    globalSetup: ['packages/testing/src/global-setup.ts'],
    execArgv: NODE_FLAGS,
    // Well above what the tests need: only the loss of an event or a response may exceed them, also on a busy machine.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 15_000 } },
    restoreMocks: true,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'others',
          include: EVERY_TEST,
          exclude: [...configDefaults.exclude, ...CHAOS, ...CLIENTS, ...COMPONENTS],
          // The files leave nothing behind, and share a process and what it has imported.
          isolate: false,
          maxWorkers,
        },
      },
      {
        extends: true,
        test: {
          name: 'components',
          include: COMPONENTS,
          environment: './console/src/testing/dom-environment.ts',
          isolate: false,
          maxWorkers,
        },
      },
    ],
  },
});
