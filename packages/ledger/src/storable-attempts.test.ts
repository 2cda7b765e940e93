import { requestRecord } from '@tollgate/testing/ledger-records';
import { expect, it } from 'vitest';
import { boundRecord } from './storable-record.ts';

const attempt = { route: 'rt_a', provider: 'p', outcome: 'status', status: 401, durationMs: 9 } as const;

it("a provider's sentence and name of a model are storable, whatever characters they have", () => {
  const attempts = [
    { ...attempt, upstreamModel: `m\0${'x'.repeat(300)}`, message: `a\0${'k'.repeat(297)}😀` },
    { ...attempt, upstreamModel: 'm' },
  ];
  const record = requestRecord({ accountId: 'acct_a', keyId: 'key_a' }, { attempts });
  const bounded = boundRecord(record, { isHeld: false, recovered: false }).attempts ?? [];
  expect(bounded).toEqual([
    { ...attempt, upstreamModel: `m${'x'.repeat(198)}`, message: `a${'k'.repeat(297)}\ufffd` },
    { ...attempt, upstreamModel: 'm' },
  ]);
});
