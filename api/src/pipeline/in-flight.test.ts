import { expect, it } from 'vitest';
import { InFlight, type RunningCompletion } from './in-flight.ts';

const ERROR = { code: 'revoked_api_key', message: '' } as const;

/** Completions of two keys that remove themselves when cut, as real ones do. */
function createHarness() {
  const errors: unknown[] = [];
  const inFlight = new InFlight((error) => errors.push(error));
  const cut: string[] = [];
  const start = (name: string, keyHash: string): RunningCompletion => {
    const run: RunningCompletion = {
      keyHash,
      slot: -1,
      tick: () => undefined,
      checkpoint: () => undefined,
      cut: () => {
        cut.push(name);
        inFlight.remove(run);
      },
      stopWith: () => inFlight.remove(run),
    };
    inFlight.add(run);
    return run;
  };
  return { inFlight, cut, start, errors };
}

it('cuts all completions of a key, and no others, while they remove themselves', () => {
  const { inFlight, cut, start } = createHarness();
  for (const [name, key] of Object.entries({ a: 'x', b: 'y', c: 'x', d: 'x', e: 'y' })) start(name, key);
  inFlight.cutKey('x', ERROR);
  expect(cut.toSorted((a, b) => a.localeCompare(b))).toEqual(['a', 'c', 'd']);
  expect([inFlight.size, inFlight.hasKey('x'), inFlight.hasKey('y')]).toEqual([2, false, true]);
  inFlight.stopAll(ERROR);
  expect(inFlight.size).toBe(0);
});

it('stays consistent for any order of additions and removals', () => {
  const { inFlight, start } = createHarness();
  let left: RunningCompletion[] = [];
  for (let step = 0; step < 2_000; step++) {
    if (step % 3 !== 2) left.push(start(String(step), `key-${step}`));
    else {
      const index = (step * 7919) % left.length;
      const run = left[index];
      if (run !== undefined) inFlight.remove(run);
      left = left.filter((_, each) => each !== index);
    }
  }
  expect(inFlight.size).toBe(left.length);
  expect(inFlight.keyHashes()).toEqual(new Set(left.map((run) => run.keyHash)));
});

it('reports when no completion is in flight, or that the wait timed out', async () => {
  const { inFlight, start } = createHarness();
  expect(await inFlight.waitUntilEmpty(0)).toBe(true);
  const run = start('a', 'x');
  expect(await inFlight.waitUntilEmpty(5)).toBe(false);
  const empty = inFlight.waitUntilEmpty(1_000);
  inFlight.remove(run);
  expect(await empty).toBe(true);
});

it('cuts the other completions if one of them throws', () => {
  const { inFlight, start, errors } = createHarness();
  const reached: string[] = [];
  for (const name of ['a', 'b', 'c']) {
    const run = start(name, 'x');
    const reach = () => {
      reached.push(name);
      if (name === 'b') throw new Error('broken');
    };
    Object.assign(run, { tick: reach, checkpoint: reach, cut: reach, stopWith: reach });
  }
  inFlight.tick();
  inFlight.checkpoint();
  inFlight.cutKey('x', ERROR);
  inFlight.stopAll(ERROR);
  expect(reached.toSorted((a, b) => a.localeCompare(b)).join('')).toBe('aaaabbbbcccc');
  expect(errors).toHaveLength(4);
});
