import { expect, it } from 'vitest';
import type { KeyWindows } from '../../../lib/trpc.ts';
import { describeSource } from './describe-source.ts';

function windows(part: Partial<KeyWindows>, limit: number | null = 60): KeyWindows {
  const gauge = { limit, used: 1, freeInMs: 1_000 };
  const open = { limit: null, used: null, freeInMs: null };
  return {
    key: { requests: gauge, tokens: open },
    plan: { id: 'standard', requests: open, tokens: open },
    keptBy: 'memory',
    processes: { responded: 1, missing: 0 },
    isCutShort: false,
    ...part,
  };
}

it('returns null if the figures need no explanation', () => {
  expect(describeSource(windows({}), false)).toBeNull();
  expect(
    describeSource(windows({ keptBy: 'redis', processes: { responded: 3, missing: 0 } }), false),
  ).toBeNull();
  expect(
    describeSource(windows({ keptBy: null, processes: { responded: 0, missing: 0 } }, null), false),
  ).toBeNull();
  expect(describeSource(undefined, false)).toBeNull();
});

it('explains figures that are missing or not shared', () => {
  const say = (part: Partial<KeyWindows>) => describeSource(windows(part), false);
  expect(say({ keptBy: null, processes: { responded: 0, missing: 1 } })).toContain(
    'no API replica responded',
  );
  expect(say({ processes: { responded: 2, missing: 0 } })).toBe(
    'Total of 2 API replicas, which apply the limits separately.',
  );
  expect(say({ processes: { responded: 1, missing: 1 } })).toBe(
    '1 API replica did not respond. Usage there is missing.',
  );
  expect(say({ keptBy: 'degraded' })).toContain('not shared at the moment');
  expect(describeSource(undefined, true)).toContain('could not be loaded');
});
