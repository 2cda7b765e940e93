import { setTimeout as sleep } from 'node:timers/promises';
import type { HoldRequest, LedgerCommit } from '@tollgate/core/money/ledger';
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database';
import { createKeyFixture } from '@tollgate/testing/factories';
import { holdRequest, settlementOf, type RecordOwner } from '@tollgate/testing/ledger-records';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createOwner,
  createStage,
  findFaults,
  holdOn,
  readStanding,
  type LedgerStage,
} from './testing/ledger-stage.ts';

const REPLICAS = 3;
const CLIENTS = 1_000;
/** Each is used on one replica alone: nothing but the balance is between them. */
const KEYS = 17 * REPLICAS;
const WORST_CASE = 1_000n;
/** Far less than all would cost, and no multiple of what one can cost. */
const BUDGET = 123_456n;

/** How all that was asked of it ended. */
interface Tally {
  billed: bigint;
  answered: number;
  waited: number;
  /** What was left, by the word of each refusal for good. */
  left: bigint[];
  /** The least that any commit has left beside what was spent and held. */
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

  it('spend a key’s budget down to less than one worst case, and nothing beyond', async () => {
    const owner = await createOwner(database.db);
    const tally = await stampede(() => holdRequest(owner, { keyCapNanoUsd: BUDGET }));
    const { spent, held } = await readStanding(database.db, owner);
    expect({ spent, held }).toEqual({ spent: tally.billed, held: 0n });
    check('a budget', tally);
  });

  it('spend a balance that many keys share down to less than one worst case, and nothing beyond', async () => {
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

  it('leave books in which nothing is wrong', async () => {
    expect(await findFaults(database.db)).toEqual([]);
  });

  /** Each client asks until it is answered or refused for good. */
  async function stampede(toHold: (at: number) => HoldRequest): Promise<Tally> {
    const stages = Array.from({ length: REPLICAS }, () => createStage(database.url));
    const tally: Tally = { billed: 0n, answered: 0, waited: 0, left: [], closest: BUDGET };
    await Promise.all(
      Array.from({ length: CLIENTS }, async (_, at) => {
        const stage = stages[at % REPLICAS];
        if (stage !== undefined) while (!(await askOnce(stage, toHold(at), tally))) await sleep(5);
      }),
    );
    for (const stage of stages) {
      await stage[Symbol.asyncDispose]();
      tally.closest = stage.store.commits.reduce(closest, tally.closest);
    }
    return tally;
  }
});

/** @returns false where only the holds of others were in the way */
async function askOnce({ ledger }: LedgerStage, request: HoldRequest, tally: Tally): Promise<boolean> {
  const { pending, outcome } = holdOn(ledger, request);
  const said = await outcome;
  if (said.ok) {
    await sleep(Math.random() * 10);
    const costNanoUsd = BigInt(Math.ceil(Math.random() * Number(WORST_CASE)));
    ledger.settle(settlementOf(request, { costNanoUsd }), pending);
    tally.billed += costNanoUsd;
    tally.answered += 1;
    return true;
  }
  ledger.settle(settlementOf(request, { costNanoUsd: 0n, errorCode: said.reason }), pending);
  if (said.reason === 'reserved') {
    tally.waited += 1;
    return false;
  }
  tally.left.push('leftNanoUsd' in said ? said.leftNanoUsd : -1n);
  return true;
}

function check(what: string, { billed, answered, waited, left, closest: least }: Tally): void {
  // At no moment, not only in the end.
  expect(least >= 0n && least < WORST_CASE).toBe(true);
  expect(billed).toBeLessThanOrEqual(BUDGET);
  expect(BUDGET - billed).toBeLessThan(WORST_CASE);
  expect(answered + left.length).toBe(CLIENTS);
  // Nobody is refused for good while enough is left beside what is settled.
  for (const amount of left) expect(amount >= 0n && amount < WORST_CASE).toBe(true);
  process.stdout.write(
    `${CLIENTS} clients on ${what} of ${BUDGET}: ${answered} answered for ${billed}, ${waited} times told to wait\n`,
  );
}
