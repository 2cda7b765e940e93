import type { RequestRecord } from '@tollgate/core/money/ledger';
import { requestRecord } from '@tollgate/testing/ledger-records';
import { expect, it, vi } from 'vitest';
import { Journal } from './journal.ts';
import { createDirectory, createLog } from './testing/ledger-harness.ts';

const OWNER = { accountId: 'acct_a', keyId: 'key_a' };
const FREE = { costNanoUsd: 0n, operatorCostNanoUsd: 0n };
const FAILED = { ...FREE, status: 502, errorCode: 'upstream_error' };

it.each<[string, Partial<RequestRecord>, boolean]>([
  ['a free response', FREE, true],
  ['a failed request with a hold, which its settlement releases', { ...FAILED, isHeld: true }, true],
  ['a failed request with unbilled cost', { ...FAILED, operatorCostNanoUsd: 1n }, true],
  ['a failed request without a hold or cost', FAILED, false],
  ['the estimate of a stale replica', { isHeld: true, recovered: true }, false],
])('the journal keeps what the next start cannot know otherwise: %s', (_, facts, isKept) => {
  using directory = createDirectory();
  const journal = new Journal({ directory: directory.path, replicaId: 'rep_a', log: createLog() });
  const record = requestRecord(OWNER, facts);
  journal.keep(record);
  journal.flush();
  expect(directory.read(/journal/).includes(record.id)).toBe(isKept);
  journal.close();
});

it('the journal is not emptied while a record in it is not stored', () => {
  using directory = createDirectory();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const journal = new Journal({ directory: directory.path, replicaId: 'rep_a', log: createLog() });
    const [stored, waiting] = [requestRecord(OWNER, FREE), requestRecord(OWNER, FREE)];
    journal.keep(stored);
    journal.flush();
    journal.release(stored);
    journal.keep(waiting);
    journal.flush();
    vi.runAllTimers();
    expect(directory.read(/journal/)).toContain(waiting.id);
    journal.close();
  } finally {
    vi.useRealTimers();
  }
});
