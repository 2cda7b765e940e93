import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { CHAOS, CLOCKED, COMPONENTS, EVERY_TEST } from './vitest.suites.ts';

export default defineConfig({
  test: {
    globalSetup: ['packages/testing/src/global-setup.ts'],
    testTimeout: 15_000,
    hookTimeout: 30_000,
    restoreMocks: true,
    projects: [
      {
        extends: true,
        test: {
          name: 'clocked',
          include: CLOCKED,
          exclude: [...configDefaults.exclude, ...CHAOS],
          // The files leave nothing behind, and share a process and what it has imported.
          isolate: false,
          maxWorkers: Math.max(1, availableParallelism() - 1),
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'others',
          include: EVERY_TEST,
          exclude: [...configDefaults.exclude, ...CHAOS, ...CLOCKED, ...COMPONENTS],
          isolate: false,
          maxWorkers: availableParallelism(),
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'components',
          include: COMPONENTS,
          environment: './console/src/testing/dom-environment.ts',
          isolate: false,
          maxWorkers: availableParallelism(),
          sequence: { groupOrder: 0 },
        },
      },
    ],
  },
});
