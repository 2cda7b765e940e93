import { spawn } from 'node:child_process';
import { getBin, getEnvironment } from './run-child.mjs';

const CHECKS = [
  { name: 'format', package: 'oxfmt', args: ['--check', '.'] },
  { name: 'lint', package: 'oxlint', args: ['--deny-warnings'] },
  { name: 'types', package: 'typescript', command: 'tsc', args: ['-p', '.'] },
  { name: 'types (console)', package: 'typescript', command: 'tsc', args: ['-p', 'console'] },
  { name: 'import boundaries', script: 'scripts/check-imports.mjs', args: [] },
  { name: 'dead code', package: 'knip', args: [] },
  { name: 'words', script: 'scripts/check-words.mjs', args: [] },
];

/**
 * Runs all checks, even after a failure, so that one run reports everything.
 * @returns {Promise<number>} 1 if any check failed
 */
export async function runChecks(context) {
  const failed = [];
  for (const check of CHECKS) {
    const startedMs = Date.now();
    const { code, output } = await capture(context, [
      check.script ?? getBin(context.root, check.package, check.command),
      ...check.args,
    ]);
    const seconds = ((Date.now() - startedMs) / 1000).toFixed(1);
    process.stdout.write(`${code === 0 ? 'ok  ' : 'FAIL'}  ${check.name.padEnd(17)} ${seconds} s\n`);
    if (code === 0) continue;
    failed.push(check.name);
    process.stdout.write(`${output.trimEnd()}\n\n`);
  }
  if (failed.length > 0) process.stdout.write(`Failed: ${failed.join(', ')}\n`);
  return failed.length > 0 ? 1 : 0;
}

function capture(context, args) {
  const child = spawn(context.node, args, {
    cwd: context.root,
    env: getEnvironment(context),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const chunks = [];
  child.stdout.on('data', (chunk) => chunks.push(chunk));
  child.stderr.on('data', (chunk) => chunks.push(chunk));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) =>
      resolve({ code: code ?? 1, output: Buffer.concat(chunks).toString('utf8') }),
    );
  });
}
