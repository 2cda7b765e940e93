import { existsSync } from 'node:fs';
import path from 'node:path';
import { runChecks } from './check.mjs';
import { binOf, run } from './run-child.mjs';

/** What each `npm run <name>` does: takes `{ root, node, args }`, answers with an exit code. */
export const TASKS = {
  start: (context) => runSource(context, 'packages/cli/src/start/main.ts'),
  dev: (context) => runSource(context, 'packages/cli/src/dev/main.ts'),
  bench: (context) => runSource(context, 'packages/bench/src/main.ts'),
  // In the caller's folder, so that a relative path means what it says.
  tollgate: (context) => runSource({ ...context, cwd: process.cwd() }, 'packages/cli/src/main.ts'),
  test: runTests,
  check: runChecks,
  e2e: runBrowserTests,
};

function runSource(context, file) {
  // What Node compiled and stripped of types is kept, so that the next start is quicker.
  process.env.NODE_COMPILE_CACHE ??= path.join(context.root, 'node_modules', '.cache', 'tollgate');
  return run(context, [path.join(context.root, file), ...context.args]);
}

async function runTests(context) {
  const code = await run(context, [binOf(context.root, 'vitest'), 'run', ...context.args]);
  if (context.args.length === 0) {
    const left = ['browser tests, which need Chromium: npm run test:e2e'];
    if (!existsSync(path.join(context.root, '../shared/recordings')))
      left.push(
        "recorded provider traffic: there is no ../shared/recordings, the project's own fixtures ran instead",
      );
    if (!process.env.REDIS_URL) left.push('Redis: REDIS_URL is not set');
    process.stdout.write(`Left out:\n${left.map((line) => `  - ${line}\n`).join('')}`);
  }
  return code;
}

/** The tests start `npm start` themselves, and with it build the console. */
function runBrowserTests(context) {
  const folder = path.join(context.root, 'console');
  const playwright = binOf(folder, '@playwright/test', 'playwright');
  return run({ ...context, cwd: folder }, [playwright, 'test', ...context.args]);
}
