import { existsSync } from 'node:fs';
import path from 'node:path';
import { runChecks } from './check.mjs';
import { addMigrationChecksums } from './migration-checksums.mjs';
import { binOf, run } from './run-child.mjs';

/** What each `npm run <name>` does: takes `{ root, node, args }`, answers with an exit code. */
export const TASKS = {
  start: (context) => runSource(context, 'packages/cli/src/start/main.ts'),
  dev: (context) => runSource(context, 'packages/cli/src/dev/main.ts'),
  build: (context) => runSource(context, 'packages/cli/src/start/build.ts'),
  bench: (context) => runSource(context, 'packages/bench/src/main.ts'),
  // In the caller's folder, so that a relative path means what it says.
  tollgate: (context) => runSource({ ...context, cwd: process.cwd() }, 'packages/cli/src/main.ts'),
  test: runTests,
  chaos: runChaos,
  check: runChecks,
  e2e: runBrowserTests,
  checksums: ({ root }) => addMigrationChecksums(root, (line) => process.stdout.write(`${line}\n`)),
};

function runSource(context, file) {
  // What Node compiled and stripped of types is kept, so that the next start is quicker.
  process.env.NODE_COMPILE_CACHE ??= path.join(context.root, 'node_modules', '.cache', 'tollgate');
  return run(context, [path.join(context.root, file), ...context.args]);
}

async function runTests(context) {
  const code = await run(context, [binOf(context.root, 'vitest'), 'run', ...context.args]);
  if (context.args.length === 0) {
    const left = leftOut(context.root);
    process.stdout.write(`Left out:\n${left.map((line) => `  - ${line}\n`).join('')}`);
  }
  return code;
}

function runChaos(context) {
  const vitest = binOf(context.root, 'vitest');
  return run(context, [vitest, 'run', '--config', 'vitest.chaos.config.ts', ...context.args]);
}

/** What a run of all tests did not run, and why. */
function leftOut(root) {
  const left = [
    'the browser tests, which need Chromium: npm run test:e2e',
    'kills, floods and whole installations, which need 8 minutes: npm run test:chaos',
  ];
  if (!process.env.TEST_DATABASE_URL)
    left.push('migrations on a PostgreSQL server of your own: TEST_DATABASE_URL is not set');
  if (!process.env.BAD_INPUT_MUTANTS)
    left.push('most request bodies with faults: BAD_INPUT_MUTANTS=5000 tries as many on each face');
  if (!process.env.FAULT_RUNTIMES)
    left.push('the faults of providers on the web-standard runtime: FAULT_RUNTIMES=all walks them there too');
  if (!process.env.E2E_LOOKS)
    left.push('pictures of every page with axe, in both themes at both widths: E2E_LOOKS=all takes them');
  if (!process.env.STAMPEDE_ROUNDS || !process.env.KILL_ROUNDS || !process.env.LEDGER_MODEL_RUNS)
    left.push('most rounds of the proofs of money: CONTRIBUTING.md has the variables that run all of them');
  if (!existsSync(process.env.RECORDINGS_DIR || path.join(root, '../shared/recordings')))
    left.push(
      "recorded provider traffic: ../shared/recordings is not there, the project's own fixtures ran instead",
    );
  return left;
}

/** The tests start `npm start` themselves, and with it build the console. */
function runBrowserTests(context) {
  const folder = path.join(context.root, 'console');
  const playwright = binOf(folder, '@playwright/test', 'playwright');
  return run({ ...context, cwd: folder }, [playwright, 'test', ...context.args]);
}
