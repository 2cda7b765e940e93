import { beatReplica } from '@tollgate/db/queries/ledger/lost-holds';
import { commitBatch } from '@tollgate/testing/commit-batch';
import { createKeyFixture } from '@tollgate/testing/factories';
import { getSettlement, holdRequest } from '@tollgate/testing/ledger-records';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestConsole, type TestConsole } from '../testing/console-fixture.ts';
import { signUpVerified, type SignedIn } from '../testing/people.ts';
import { getStatementSheet } from './statement-sheet.ts';

describe('the statement of the month in progress', () => {
  let site: TestConsole;
  let reader: SignedIn;
  let month: string;
  beforeAll(async () => {
    site = await createTestConsole();
    reader = await signUpVerified(site);
    const { db, clock } = site.deps;
    month = new Date(clock.nowMs()).toISOString().slice(0, 7);
    await beatReplica(db.sql, 'rep_test');
    const { accountId } = reader;
    const { key } = await createKeyFixture(db, accountId);
    const hold = (wantNanoUsd: bigint) =>
      holdRequest(
        { accountId, keyId: key.id },
        { startedAtMs: clock.nowMs(), wantNanoUsd, chargesBalance: true },
      );
    const ended = hold(30_000_000n);
    await commitBatch(db, { holds: [ended, hold(70_000_000n)] });
    await commitBatch(db, { settlements: [getSettlement(ended, { costNanoUsd: 20_000_000n })] });
  });
  afterAll(() => site[Symbol.asyncDispose]());

  const get = (path: string) => reader.visitor.get(`${path}accountId=${reader.accountId}`);

  it('has what is not in the ledger yet', async () => {
    const { accountId } = reader;
    expect(await reader.visitor.client.statements.get.query({ accountId, month })).toMatchObject({
      state: 'open',
      closingNanoUsd: '1000000000',
      pending: { usageNanoUsd: '20000000', heldNanoUsd: '70000000' },
    });
  });

  it('says as PDF that it is not final, and what is pending', async () => {
    const { accountId } = reader;
    const view = await reader.visitor.client.statements.get.query({ accountId, month });
    const { warning, tables } = getStatementSheet(view);
    expect(warning).toBe('This statement is not final. Its amounts can change.');
    expect(tables[0]?.foot).toEqual([
      ['Balance so far', '$1.00'],
      ['Pending usage', '−$0.02'],
      ['On hold for requests in progress', '−$0.07'],
    ]);
  });

  it('ends as CSV with the balance so far, less what is pending', async () => {
    const response = await get(`/exports/statement.csv?month=${month}&`);
    expect(response.headers.get('content-disposition')).toContain(`statement-${month}-not-final.csv`);
    const lines = (await response.text()).trimEnd().split('\r\n').slice(-4, -1);
    expect(lines.map((line) => line.split(',').filter((cell) => cell !== ''))).toEqual([
      ['balance_so_far', '1.00'],
      ['pending_usage', '-0.02'],
      ['on_hold', '-0.07'],
    ]);
  });
});
