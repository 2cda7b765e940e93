import { expect, it } from 'vitest';
import type { Figures } from './figures.ts';
import { isPassed, judge } from './verdicts.ts';

const GROWTH = { rows: 1_000_000, costRatio: 1.1, throughputRatio: 0.9 };
const BOOKS = {
  name: 'main',
  answered: 1_000,
  settled: 1_064,
  billedNanoUsd: 167_580_000n,
  dueNanoUsd: 167_580_000n,
  held: 0,
  broken: [],
};
const GOOD: Figures = {
  throughput: { overPortkey: 8, overNginx: 0.17 },
  streams: { addedP99Ms: 10, memoryMb: 399 },
  translation: { translatedOverRelayed: 0.5, addedFirstByteP99Ms: 5 },
  metered: { overPortkey: 6 },
  latency: { addedP50Ms: 1, addedP99Ms: 5 },
  hostile: { riseP99Ms: 20, peakMb: 1_000 },
  growth: { keys: GROWTH, pastRequests: GROWTH },
  targets: [],
  failures: [],
  chunksLost: 0,
  books: [BOOKS],
  answered: 1_000,
  recorded: 1_064,
};
const NOTHING_ASKED: Figures = {
  throughput: null,
  streams: null,
  translation: null,
  metered: null,
  latency: null,
  hostile: null,
  growth: null,
  targets: [],
  failures: [],
  chunksLost: null,
  books: [],
  answered: 0,
  recorded: 0,
};

it('passes what meets each target exactly', () => {
  const verdicts = judge(GOOD);
  expect(verdicts.map((verdict) => verdict.ok)).toEqual(Array(18).fill(true));
  expect(verdicts[0]?.text).toBe('PASS  8.0 × Portkey (target ≥ 8)');
});

it('fails each missed target separately, and missing measurements', () => {
  const growth = { rows: 10, costRatio: 1.11, throughputRatio: 0.89 };
  const bad: Figures = {
    throughput: { overPortkey: 7.9, overNginx: 0.16 },
    streams: { addedP99Ms: 10.1, memoryMb: 400 },
    translation: { translatedOverRelayed: 0.49, addedFirstByteP99Ms: 5.1 },
    metered: { overPortkey: 5.9 },
    latency: { addedP50Ms: 1.1, addedP99Ms: Number.NaN },
    hostile: { riseP99Ms: 20.1, peakMb: 1_001 },
    growth: { keys: growth, pastRequests: growth },
    targets: [],
    failures: [],
    chunksLost: 1,
    books: [{ ...BOOKS, held: 1 }],
    answered: 1_000,
    recorded: 999,
  };
  expect(judge(bad).filter((verdict) => verdict.ok)).toEqual([]);
  expect(judge(bad)).toHaveLength(18);
});

it('fails books that miss an answer, a nano-dollar or an invariant', () => {
  const wrong = [{ settled: 999 }, { billedNanoUsd: 167_580_001n }, { broken: ['key_spent (1)'] }];
  for (const fault of wrong)
    expect(isPassed(judge({ ...GOOD, books: [{ ...BOOKS, ...fault }] }), true)).toBe(false);
});

it('says nothing of what was not asked for', () => {
  expect(judge(NOTHING_ASKED)).toEqual([]);
});

it('forgives a quick run its speed, never a lost chunk', () => {
  const slow = judge({ ...GOOD, metered: { overPortkey: 1 } });
  expect([isPassed(slow, false), isPassed(slow, true)]).toEqual([false, true]);
  expect(isPassed(judge({ ...GOOD, chunksLost: 1 }), true)).toBe(false);
});

it('fails what could not be measured, also in a quick run', () => {
  const verdicts = judge({ ...NOTHING_ASKED, failures: ['workers: 160 broke'] });
  expect(verdicts.map(({ text }) => text)).toEqual([
    'FAIL  not measured: workers: 160 broke (target measured)',
  ]);
  expect(isPassed(verdicts, true)).toBe(false);
});
