import { expect, it } from 'vitest';
import { formatPeers } from './format.ts';
import type { PeerFigure } from './measure.ts';

const round = {
  requests: 100,
  requestsPerSecond: 48,
  p50Ms: 1,
  p99Ms: 2,
  cpuShare: 1,
  ownUs: 1,
  workersUs: 0,
  othersShare: 0,
};
const subject = { name: 'slow', rounds: [round], answered: 100, memoryMb: { before: 1, after: 1 } };
const measured: PeerFigure = { kind: 'measured', peer: subject, metered: subject, ratio: 60.5 };
const failed: PeerFigure = { kind: 'failed', reason: 'slow: of 10 requests\n 3 broke' };

it('shows what failed, and why, with what was measured', () => {
  const text = formatPeers([
    {
      name: 'slow',
      note: 'no database',
      memoryMb: 340,
      figures: { json: measured, sse: failed, body: measured },
    },
  ]);
  expect(text).toContain('48 (60.50 ×)  failed  48 (60.50 ×)  340 MB');
  expect(text.split('\n').at(-1)).toBe('slow, sse: slow: of 10 requests 3 broke');
});
