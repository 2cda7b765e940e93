import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';

const EVERY_TEST = [
  '{api,db,docs}/**/*.test.ts',
  'packages/*/src/**/*.test.ts',
  'scripts/*.test.mjs',
  'console/{server,src}/**/*.test.{ts,tsx}',
];
/** Tests that keep to the clock, or start processes that do: beside others on every core they would be late. */
const CLOCKED = [
  'api/test/{agents,chaos}/*.test.ts',
  'api/test/faults/{breakers,failover,faults}.test.ts',
  'api/test/load/{late-body,slow-reader}.test.ts',
  'api/test/money/{holds,plans}.test.ts',
  'api/test/requests/{bad-input,revocation}.test.ts',
  'packages/{ledger,limits}/src/**/*.test.ts',
  'packages/upstreams/src/transport/**/*.test.ts',
  'console/server/main.test.ts',
  'console/server/live/replicas.test.ts',
  'db/src/embedded*.test.ts',
  'packages/cli/src/installation.test.ts',
];

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
          maxWorkers: Math.max(1, availableParallelism() - 1),
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'others',
          include: EVERY_TEST,
          exclude: [...configDefaults.exclude, ...CLOCKED],
          // They leave nothing behind, and share a process and what it has imported.
          isolate: false,
          maxWorkers: availableParallelism(),
          sequence: { groupOrder: 0 },
        },
      },
    ],
  },
});
