import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { apiNodeFlags } from './api-node-flags.ts';

/** Runs code with the flags of the api, and more. @returns what it prints */
function run(code: string, ...flags: string[]): string {
  const args = [...apiNodeFlags(), ...flags, '--eval', code];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { maxBuffer: 64 * 1024 * 1024 });
  expect([status, stderr.toString()]).toEqual([0, '']);
  return stdout.toString();
}

it('starts Node with flags that it knows', () => {
  expect(run('console.log(typeof gc)')).toBe('function\n');
});

const TRACE = ['--trace-gc', '--trace-gc-nvp', '--trace-incremental-marking'];

it('bounds the young generation, which a full collection may have to copy', () => {
  const trace = run('const kept = []; for (let at = 0; at < 2_000_000; at++) kept.push({ at })', ...TRACE);
  const capacities = [...trace.matchAll(/new_space_capacity=(\d+)/g)].map(([, bytes]) => Number(bytes));
  expect(Math.max(...capacities)).toBe(16 * 1024 * 1024);
});

it('collects young objects while a full collection marks', () => {
  // Old objects make full collections due, and most young ones die at once.
  const code = `
    const old = [];
    const until = Date.now() + 2_000;
    (function work() {
      for (let at = 0; at < 60_000; at++) if (at % 10 === 0) old.push({ at }); else String({ at });
      if (old.length > 600_000) old.length = 0;
      if (Date.now() < until) setImmediate(work);
    })();`;
  let isMarking = false;
  let youngWhileMarking = 0;
  for (const line of run(code, ...TRACE, '--max-semi-space-size=1').split('\n')) {
    if (line.includes('Start marking')) isMarking = true;
    if (line.includes(' gc=mc ')) isMarking = false;
    if (line.includes(' gc=s ') && isMarking) youngWhileMarking += 1;
  }
  expect(youngWhileMarking).toBeGreaterThan(0);
});
