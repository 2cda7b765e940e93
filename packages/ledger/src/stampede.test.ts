import { setTimeout as sleep } from 'node:timers/promises';
import type { HoldRequest, LedgerCommit } from '@tollgate/core/money/ledger';
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database';
import { createKeyFixture } from '@tollgate/testing/factories';
import { holdRequest, getSettlement, type RecordOwner } from '@tollgate/testing/ledger-records';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createOwner,
  createHarness,
  findViolations,
  holdOn,
  readStanding,
  type LedgerHarness,
} from './testing/ledger-harness.ts';

const REPLICAS = 3;
const CLIENTS = 1_000;
/** Each key is used on one replica only, so that they share only the balance. */
const KEYS = 17 * REPLICAS;
const WORST_CASE = 1_000n;
/** Far less than the total cost, and not a multiple of one request's cost. */
const BUDGET = 123_456n;

/** Outcomes of all requests. */
interface Tally {
  billed: bigint;
  answered: number;
  waited: number;
  /** Available amount reported by each final refusal. */
  left: bigint[];
  /** Lowest available amount after any commit. */
  closest: bigint;
}

function closest(least: bigint, { keys, balances }: LedgerCommit): bigint {
  const left = [
    least,
    ...keys.map(({ spentNanoUsd, heldNanoUsd }) => BUDGET - spentNanoUsd - heldNanoUsd),
    ...balances.map(({ availableNanoUsd, heldNanoUsd }) => availableNanoUsd - heldNanoUsd),
  ];
  return left.reduce((a, b) => (b < a ? b : a));
}

describe('a thousand clients on three replicas', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database[Symbol.asyncDispose]());

  it('spend a key’s budget to within one worst case, and never exceed it', async () => {
    const owner = await createOwner(database.db);
    const tally = await stampede(() => holdRequest(owner, { keyCapNanoUsd: BUDGET }));
    const { spent, held } = await readStanding(database.db, owner);
    expect({ spent, held }).toEqual({ spent: tally.billed, held: 0n });
    check('a budget', tally);
  });

  it('spend a shared balance to within one worst case, and never exceed it', async () => {
    const first = await createOwner(database.db, BUDGET);
    const owners: RecordOwner[] = [first];
    while (owners.length < KEYS) {
      const { key } = await createKeyFixture(database.db, first.accountId);
      owners.push({ accountId: first.accountId, keyId: key.id });
    }
    const tally = await stampede((at) =>
      holdRequest(owners[at % owners.length] ?? first, { chargesBalance: true }),
    );
    const { available, walletHeld } = await readStanding(database.db, first);
    expect({ available, walletHeld }).toEqual({ available: BUDGET - tally.billed, walletHeld: 0n });
    check('a balance', tally);
  });

  it('leave a valid ledger', async () => {
    expect(await findViolations(database.db)).toEqual([]);
  });

  /** Each client retries until it succeeds or is finally refused. */
  async function stampede(toHold: (at: number) => HoldRequest): Promise<Tally> {
    const harnesses = Array.from({ length: REPLICAS }, () => createHarness(database.url));
    const tally: Tally = { billed: 0n, answered: 0, waited: 0, left: [], closest: BUDGET };
    await Promise.all(
      Array.from({ length: CLIENTS }, async (_, at) => {
        const harness = harnesses[at % REPLICAS];
        if (harness !== undefined) while (!(await askOnce(harness, toHold(at), tally))) await sleep(5);
      }),
    );
    for (const harness of harnesses) {
      await harness[Symbol.asyncDispose]();
      tally.closest = harness.store.commits.reduce(closest, tally.closest);
    }
    return tally;
  }
});

/** @returns false if only other holds prevented it */
async function askOnce({ ledger }: LedgerHarness, request: HoldRequest, tally: Tally): Promise<boolean> {
  const { pending, outcome } = holdOn(ledger, request);
  const said = await outcome;
  if (said.ok) {
    await sleep(Math.random() * 10);
    const costNanoUsd = BigInt(Math.ceil(Math.random() * Number(WORST_CASE)));
    ledger.settle(getSettlement(request, { costNanoUsd }), pending);
    tally.billed += costNanoUsd;
    tally.answered += 1;
    return true;
  }
  ledger.settle(getSettlement(request, { costNanoUsd: 0n, errorCode: said.reason }), pending);
  if (said.reason === 'reserved') {
    tally.waited += 1;
    return false;
  }
  tally.left.push('leftNanoUsd' in said ? said.leftNanoUsd : -1n);
  return true;
}

function check(what: string, { billed, answered, waited, left, closest: least }: Tally): void {
  // At every commit, not only at the end.
  expect(least >= 0n && least < WORST_CASE).toBe(true);
  expect(billed).toBeLessThanOrEqual(BUDGET);
  expect(BUDGET - billed).toBeLessThan(WORST_CASE);
  expect(answered + left.length).toBe(CLIENTS);
  // No final refusal while enough is left after settled costs.
  for (const amount of left) expect(amount >= 0n && amount < WORST_CASE).toBe(true);
  process.stdout.write(
    `${CLIENTS} clients on ${what} of ${BUDGET}: ${answered} answered for ${billed}, ${waited} times asked to retry\n`,
  );
}
