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
    testTimeout: 15_000,
    hookTimeout: 30_000,
    restoreMocks: true,
  },
});
