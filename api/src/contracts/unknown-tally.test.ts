import type { UnknownMemberCount } from '@tollgate/db/queries/contracts/unknown-members';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { UnknownTally } from './unknown-tally.ts';

const HOUR_MS = 3_600_000;

function createTally() {
  const stored: UnknownMemberCount[] = [];
  const store = async (counts: readonly UnknownMemberCount[]) => void stored.push(...counts);
  const tally = new UnknownTally({ store, log: pino({ enabled: false }), flushMs: HOUR_MS });
  const flush = async () => {
    await tally.flush();
    return stored.splice(0);
  };
  return { tally, flush, [Symbol.asyncDispose]: () => tally.close() };
}

const from = (accountId: string) => ({ accountId, userAgent: 'agent/1' });
const junk = (count: number, prefix = 'junk') => Array.from({ length: count }, (_, at) => `${prefix}_${at}`);

it('counts only the first twenty unknown members of one request', async () => {
  await using harness = createTally();
  harness.tally.note('p', junk(1_000), from('acct_a'));
  expect((await harness.flush()).map(({ member }) => member)).toEqual(junk(20));
});

it('limits one account to a share, so that the members of other accounts are counted', async () => {
  await using harness = createTally();
  for (let at = 0; at < 1_000; at++) harness.tally.note('p', junk(20, `junk_${at}`), from('acct_junk'));
  harness.tally.note('p', ['brand_new'], from('acct_agent'));
  const counts = await harness.flush();
  expect(counts).toHaveLength(51);
  expect(counts.at(-1)).toMatchObject({ member: 'brand_new', accountId: 'acct_agent', requests: 1 });
  // The share is available again after the counts are stored.
  harness.tally.note('p', ['another'], from('acct_junk'));
  expect(await harness.flush()).toHaveLength(1);
});

it('replaces the least recently seen unknown member with a new one', async () => {
  await using harness = createTally();
  for (let account = 0; account < 50; account++)
    harness.tally.note('p', junk(20, `of_${account}`), from(`acct_${account}`));
  harness.tally.note('p', ['of_0_0'], from('acct_0'));
  harness.tally.note('p', ['brand_new'], from('acct_agent'));
  const counts = await harness.flush();
  const members = counts.map(({ member }) => member);
  expect(members).toHaveLength(1_000);
  expect(members).toEqual(expect.arrayContaining(['of_0_0', 'brand_new']));
  expect(members).not.toContain('of_0_1');
  expect(counts.find(({ member }) => member === 'of_0_0')).toMatchObject({ requests: 2 });
});

it('does not keep long or unusual member names', async () => {
  await using harness = createTally();
  harness.tally.note('p', ['n'.repeat(101), 'a\nb', '<b>', 'n'.repeat(100)], from('acct_a'));
  expect((await harness.flush()).map(({ member }) => member)).toEqual(['other', 'n'.repeat(100)]);
});
