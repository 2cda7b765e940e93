import { existsSync } from 'node:fs';
import path from 'node:path';
import { runChecks } from './check.mjs';
import { addFunctionChecksums, addMigrationChecksums } from './migration-checksums.mjs';
import { getBin, run } from './run-child.mjs';

/** Task of each `npm run <name>`: takes `{ root, node, args }` and returns an exit code. */
export const TASKS = {
  start: (context) => runSource(context, 'packages/cli/src/start/main.ts'),
  dev: (context) => runSource(context, 'packages/cli/src/dev/main.ts'),
  build: (context) => runSource(context, 'packages/cli/src/start/build.ts'),
  bench: (context) => runSource(context, 'packages/bench/src/main.ts'),
  // Runs in the caller's directory, so that relative paths work.
  tollgate: (context) => runSource({ ...context, cwd: process.cwd() }, 'packages/cli/src/main.ts'),
  test: runTests,
  chaos: (context) => runVitest(context, 'vitest.chaos.config.ts'),
  clients: (context) => runVitest(context, 'vitest.clients.config.ts'),
  check: runChecks,
  e2e: runBrowserTests,
  checksums: addChecksums,
  outline: (context) => runSource(context, 'packages/dialects/src/outline/build-outline.ts'),
};

function addChecksums({ root }) {
  const say = (line) => void process.stdout.write(`${line}\n`);
  addFunctionChecksums(root, say);
  return addMigrationChecksums(root, say);
}

/** Caches compiled code for this process's children, which speeds up their next start. */
function cacheCompiledCode({ root }) {
  process.env.NODE_COMPILE_CACHE ??= path.join(root, 'node_modules', '.cache', 'tollgate');
}

function runSource(context, file) {
  cacheCompiledCode(context);
  return run(context, [path.join(context.root, file), ...context.args]);
}

async function runTests(context) {
  const code = await runVitest(context, 'vitest.config.ts');
  if (context.args.length === 0) {
    const left = leftOut(context.root);
    process.stdout.write(`Skipped:\n${left.map((line) => `  - ${line}\n`).join('')}`);
  }
  return code;
}

function runVitest(context, config) {
  cacheCompiledCode(context);
  return run(context, [getBin(context.root, 'vitest'), 'run', '--config', config, ...context.args]);
}

/** Lists tests that a full run skipped, with the reason. */
function leftOut(root) {
  const left = [
    'browser tests, which need Chromium: npm run test:e2e',
    'kills, floods and whole installations, which need several minutes: npm run test:chaos',
    'coding agents and Python clients, which must be installed: npm run test:clients',
  ];
  if (!process.env.TEST_DATABASE_URL)
    left.push('migrations on an external PostgreSQL server: TEST_DATABASE_URL is not set');
  if (!process.env.BAD_INPUT_MUTANTS)
    left.push('most invalid request bodies: set BAD_INPUT_MUTANTS=5000 for that many per endpoint');
  if (!process.env.FAULT_RUNTIMES)
    left.push('provider failures on the web-standard runtime: set FAULT_RUNTIMES=all');
  if (!process.env.E2E_LOOKS)
    left.push('screenshots and axe checks of all pages in all themes and widths: set E2E_LOOKS=all');
  if (!process.env.STAMPEDE_ROUNDS || !process.env.KILL_ROUNDS || !process.env.LEDGER_MODEL_RUNS)
    left.push('most rounds of the ledger tests: CONTRIBUTING.md lists the variables for all rounds');
  if (!process.env.TAP_CUT_BYTES || !process.env.LEAK_CALLS)
    left.push('most cuts of recorded streams, most calls to find leaks: CONTRIBUTING.md lists the variables');
  if (!existsSync(process.env.RECORDINGS_DIR || path.join(root, '../shared/recordings')))
    left.push(
      "recorded provider traffic: ../shared/recordings does not exist, so the project's fixtures ran instead",
    );
  return left;
}

/** The tests run `npm start`, which builds the console. */
function runBrowserTests(context) {
  cacheCompiledCode(context);
  const folder = path.join(context.root, 'console');
  const playwright = getBin(folder, '@playwright/test', 'playwright');
  return run({ ...context, cwd: folder }, [playwright, 'test', ...context.args]);
}
