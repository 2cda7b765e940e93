import { expect, it } from 'vitest';
import { StallRecorder } from './stall-recorder.ts';

it('reports the longest delay, the one with the most work, and the share of collections in each', () => {
  const recorder = new StallRecorder(0);
  recorder.addTick(0, 1.2, 0.1, 1);
  recorder.addTick(100, 121, 2, 1); // The core was taken away.
  recorder.addTick(200, 210, 9.5, 1); // The main thread worked.
  recorder.addCollection(198, 4);
  recorder.addCollection(300, 5);
  const report = recorder.report(1_000);
  expect(report).toMatchObject({
    longest: { wallMs: 20, cpuMs: 2, gcMs: 0 },
    busiest: { wallMs: 9, cpuMs: 9.5, gcMs: 2 },
    longestGcMs: 5,
    gcShare: 0.009,
    ticks: 3,
  });
});

it('takes the delay that 99 of 100 probes stay below', () => {
  const recorder = new StallRecorder(0);
  for (let tick = 0; tick < 98; tick++) recorder.addTick(0, 1.1, 0, 1);
  recorder.addTick(0, 4.1, 0, 1);
  recorder.addTick(0, 51, 0, 1);
  expect(recorder.report(10).p99Ms).toBe(3.25);
});

it('forgets what was before a reset', () => {
  const recorder = new StallRecorder(0);
  recorder.addTick(0, 51, 50, 1);
  recorder.addCollection(10, 5);
  recorder.reset(60);
  recorder.addTick(60, 61.5, 0.2, 1);
  expect(recorder.report(100)).toMatchObject({ longest: { wallMs: 0.5 }, longestGcMs: 0, ticks: 1 });
});
