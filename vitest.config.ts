import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: [
      '{api,db,docs}/**/*.test.ts',
      'packages/*/src/**/*.test.ts',
      'scripts/*.test.mjs',
      'console/{server,src}/**/*.test.{ts,tsx}',
    ],
    globalSetup: ['packages/testing/src/global-setup.ts'],
    // All cores: the default leaves one free, which is half of a small machine.
    maxWorkers: '100%',
    testTimeout: 15_000,
    hookTimeout: 30_000,
    restoreMocks: true,
  },
});
