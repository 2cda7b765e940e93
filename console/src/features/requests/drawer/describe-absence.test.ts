import { expect, it } from 'vitest';
import { describeAbsence } from './describe-absence.ts';

const SETTING = { retentionDays: 3, since: '2026-11-10T00:00:00Z' };
const NOW_MS = Date.parse('2026-11-20T00:00:00Z');

it.each([
  ['2026-11-09T23:59:59Z', SETTING, /was off at that time/],
  ['2026-11-16T00:00:00Z', SETTING, /^Deleted.* 3 days/],
  ['2026-11-19T00:00:00Z', SETTING, /overloaded/],
  ['2026-11-19T00:00:00Z', null, /is off\.$/],
] as const)('explains why a request of %s has no payload', (startedAt, setting, sentence) => {
  expect(describeAbsence(startedAt, setting, NOW_MS)).toMatch(sentence);
});
