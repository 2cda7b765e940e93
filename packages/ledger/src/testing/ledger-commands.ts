import type {
  HoldRequest,
  HoldVerdict,
  LedgerBatch,
  LedgerCommit,
  RequestRecord,
} from '@tollgate/core/ledger';
import type { NanoUsd } from '@tollgate/core/money';
import type { Database } from '@tollgate/db/client';
import { commitLedgerBatch } from '@tollgate/db/queries/ledger/commit-batch';
import { listLostHolds } from '@tollgate/db/queries/ledger/lost-holds';
import { postLedgerEntry } from '@tollgate/db/queries/ledger/post-entry';
import { postUsage } from '@tollgate/db/queries/ledger/post-usage';
import { revokeKey } from '@tollgate/db/queries/keys';
import { setAccountPlan } from '@tollgate/db/queries/plans';
import { apiKeys } from '@tollgate/db/schema/api-keys';
import { replicas } from '@tollgate/db/schema/ledger';
import { holdRequest, requestRecord, settlementOf } from '@tollgate/testing/ledger-records';
import { eq, inArray } from 'drizzle-orm';
import fc from 'fast-check';
import { expect } from 'vitest';
import type { LedgerModel, ModelKey, ModelRow } from './ledger-model.ts';

const HOUR_MS = 3_600_000;
const DEAD_AFTER_MS = 20_000;
/** Silent for longer than that. */
const LONG_AGO_MS = 60_000;

/** The true ledger, in a database; the totals that commits tell are compared at once. */
export interface RealLedger {
  db: Database;
  /** Two processes of the api; either may be dead. */
  replicaIds: readonly [string, string];
  silent: Set<string>;
  serial: number;
  /** What happened, for the figures at the end. */
  seen: Map<string, number>;
}

type Command = fc.AsyncCommand<LedgerModel, RealLedger>;

function command(
  name: string,
  run: (model: LedgerModel, real: RealLedger) => Promise<void>,
  check: (model: Readonly<LedgerModel>) => boolean = () => true,
): Command {
  return {
    check,
    run: async (model, real) => {
      note(real, name.replace(/ .*/, ''));
      await run(model, real);
    },
    toString: () => name,
  };
}

const note = ({ seen }: RealLedger, what: string) => void seen.set(what, (seen.get(what) ?? 0) + 1);

const rowsIn = (model: Readonly<LedgerModel>, ...states: ModelRow['state'][]) =>
  [...model.rows.values()].filter(({ hold, state }) => hold !== null && states.includes(state));

/** The same whichever they are, and always one of them. */
const pick = <T>(from: readonly T[], at: number): T => {
  const found = from[at % from.length];
  if (found === undefined) throw new Error('There is nothing to pick from');
  return found;
};

/** Commits a batch in both; what the real one says of a hold and of the totals is what the model says. */
async function commitBoth(
  model: LedgerModel,
  real: RealLedger,
  { replicaId, settlements = [], holds = [] }: Partial<LedgerBatch> & { replicaId: string },
  isReplyLost = false,
): Promise<void> {
  const batch = { replicaId, settlements, holds, isRetry: false };
  let commit: LedgerCommit = await commitLedgerBatch(real.db.sql, batch);
  if (isReplyLost) commit = await commitLedgerBatch(real.db.sql, { ...batch, isRetry: true });
  for (const record of settlements) model.settle(record);
  const verdicts: HoldVerdict[] = holds.map((hold) => model.admit(hold, replicaId));
  // A replica that holds is alive again, whatever it was taken for.
  if (holds.length > 0) real.silent.delete(replicaId);
  for (const verdict of verdicts) note(real, verdict.ok ? 'admitted' : verdict.reason);
  expect(commit.verdicts).toEqual(verdicts);
  for (const { keyId, spentNanoUsd, heldNanoUsd } of commit.keys)
    expect({ spentNanoUsd, heldNanoUsd }).toEqual({
      spentNanoUsd: model.spentOf(keyId),
      heldNanoUsd: model.heldOf(keyId),
    });
  for (const { availableNanoUsd, heldNanoUsd } of commit.balances)
    expect({ availableNanoUsd, heldNanoUsd }).toEqual({
      availableNanoUsd: model.available,
      heldNanoUsd: model.walletHeld,
    });
}

const amount = (max: number): fc.Arbitrary<NanoUsd> => fc.nat(max).map(BigInt);

interface HoldSpec {
  key: number;
  amounts: readonly [NanoUsd, NanoUsd, NanoUsd];
  isNamed: boolean;
  input: NanoUsd;
}
const holdSpec: fc.Arbitrary<HoldSpec> = fc.record({
  key: fc.nat(2),
  amounts: fc.tuple(amount(2_500), amount(1_500), amount(700)),
  isNamed: fc.boolean(),
  input: amount(900),
});

function toHold(model: LedgerModel, { key: at, amounts, isNamed, input }: HoldSpec): HoldRequest {
  const key = pick(model.keys, at);
  const [minNanoUsd, ...rest] = [amounts[2], amounts[2] + amounts[1]];
  const softNanoUsd = rest[0] ?? minNanoUsd;
  const wantNanoUsd = softNanoUsd + amounts[0];
  return holdRequest(
    { accountId: model.accountId, keyId: key.id },
    {
      chargesBalance: model.isPrepaid,
      keyCapNanoUsd: key.cap,
      inputCostNanoUsd: input,
      wantNanoUsd,
      ...(isNamed ? {} : { softNanoUsd, minNanoUsd }),
    },
  );
}

/** How a request ended: `part` of what was granted in percent, 0 where it was released, above 100 where it was more. */
interface EndSpec {
  at: number;
  part: number;
  burned: NanoUsd;
  isError: boolean;
}
const endSpec: fc.Arbitrary<EndSpec> = fc.record({
  at: fc.nat(20),
  part: fc.oneof(fc.constant(0), fc.nat(100), fc.nat(160)),
  burned: fc.oneof(fc.constant(0n), amount(300)),
  isError: fc.boolean(),
});

function toSettlement({ hold, granted }: ModelRow, { part, burned, isError }: EndSpec): RequestRecord {
  if (hold === null) throw new Error('Only what had a hold is settled by it');
  return settlementOf(hold, {
    costNanoUsd: (granted * BigInt(part)) / 100n,
    operatorCostNanoUsd: burned,
    errorCode: isError ? 'upstream_error' : null,
  });
}

/** Different rows, in the order in which they were picked. */
function endings(rows: readonly ModelRow[], ends: readonly EndSpec[]): RequestRecord[] {
  const chosen = new Map<string, RequestRecord>();
  for (const end of ends) {
    if (rows.length === 0) break;
    const row = pick(rows, end.at);
    if (!chosen.has(row.id)) chosen.set(row.id, toSettlement(row, end));
  }
  return [...chosen.values()];
}

const batches = fc
  .record({
    replica: fc.nat(1),
    holds: fc.array(holdSpec, { maxLength: 4 }),
    ends: fc.array(endSpec, { maxLength: 3 }),
    bare: fc.array(fc.record({ key: fc.nat(2), cost: amount(400) }), { maxLength: 1 }),
    isReplyLost: fc.boolean(),
  })
  .map((spec) =>
    command(`batch ${text(spec)}`, async (model, real) => {
      const bare = spec.bare.map(({ key: at, cost }) => freeOf(model, pick(model.keys, at), cost));
      const settlements = [...endings(rowsIn(model, 'held'), spec.ends), ...bare];
      const holds = spec.holds.map((hold) => toHold(model, hold));
      const replicaId = pick(real.replicaIds, spec.replica);
      await commitBoth(model, real, { replicaId, settlements, holds }, spec.isReplyLost);
    }),
  );

/** Of a key without a budget, on a plan that charges nothing: it may cost whatever, without a hold. */
function freeOf(model: LedgerModel, key: ModelKey, cost: NanoUsd): RequestRecord {
  const owner = { accountId: model.accountId, keyId: key.id };
  return requestRecord(owner, { costNanoUsd: key.cap === null ? cost : 0n });
}

const truths = fc.array(endSpec, { minLength: 1, maxLength: 4 }).map((ends) =>
  command(
    `truth ${text(ends)}`,
    (model, real) => {
      const settlements = endings(rowsIn(model, 'guessed'), ends);
      return commitBoth(model, real, { replicaId: real.replicaIds[0], settlements });
    },
    (model) => rowsIn(model, 'guessed').length > 0,
  ),
);

/** A settlement that was stored already, sent once more, perhaps with other figures; guesses that come too late. */
const repeats = fc.record({ end: endSpec, isGuess: fc.boolean() }).map(({ end, isGuess }) =>
  command(
    `repeat ${text(end)} ${isGuess}`,
    (model, real) => {
      const row = pick(rowsIn(model, 'settled'), end.at);
      const settlements = [{ ...toSettlement(row, end), recovered: isGuess }];
      return commitBoth(model, real, { replicaId: real.replicaIds[1], settlements });
    },
    (model) => rowsIn(model, 'settled').length > 0,
  ),
);

/** A batch that hung on its way arrives after its request was given up and settled: nothing of it may count. */
const overtaken = fc.tuple(holdSpec, amount(200)).map(([spec, burned]) =>
  command(`overtaken ${text(spec)}`, async (model, real) => {
    const hold = toHold(model, spec);
    const end = { costNanoUsd: 0n, operatorCostNanoUsd: burned, errorCode: 'ledger_unavailable' };
    const [replicaId] = real.replicaIds;
    await commitBoth(model, real, { replicaId, settlements: [settlementOf(hold, end)] });
    const late = { replicaId, settlements: [], holds: [hold], isRetry: false };
    const verdicts = await commitLedgerBatch(real.db.sql, late).then(
      (commit) => commit.verdicts,
      () => [],
    );
    expect(verdicts.filter(({ ok }) => ok)).toHaveLength(0);
    // It was rejected, or there was no room. A replica that asks for a hold says that it lives.
    if (verdicts.length > 0) real.silent.delete(replicaId);
  }),
);

/** A replica falls silent, dead or not; sooner or later that is found out. */
const crashes = fc.tuple(fc.nat(1), fc.boolean()).map(([at, isFoundOut]) =>
  command(`crash ${at} ${isFoundOut}`, async (model, real) => {
    const id = pick(real.replicaIds, at);
    real.silent.add(id);
    const heartbeatAt = new Date(Date.now() - LONG_AGO_MS);
    await real.db.drizzle.update(replicas).set({ heartbeatAt }).where(eq(replicas.id, id));
    if (isFoundOut) await recover(model, real);
  }),
);

/** Somebody looks after what the silent ones hold; the others' holds stay. */
export async function recover(model: LedgerModel, real: RealLedger): Promise<void> {
  // What runs have left that failed is none of this one's.
  const lost = (await listLostHolds(real.db.sql, DEAD_AFTER_MS, 10_000)).filter(
    ({ accountId }) => accountId === model.accountId,
  );
  const expected = rowsIn(model, 'held').filter(({ replicaId }) => real.silent.has(replicaId ?? ''));
  const inOrder = (ids: string[]) => ids.toSorted((a, b) => (a < b ? -1 : 1));
  expect(inOrder(lost.map(({ id }) => id))).toEqual(inOrder(expected.map(({ id }) => id)));
  for (const record of lost) expect(record.costNanoUsd).toBe(model.rows.get(record.id)?.cost);
  if (lost.length > 0) note(real, 'recovered');
  await commitBoth(model, real, { replicaId: 'rep_living', settlements: lost });
}

const recoveries = fc.constant(command('recover', recover));

const revocationsOr = (deletions: fc.Arbitrary<boolean>) =>
  fc.record({ at: fc.nat(2), isDeleted: deletions }).map(({ at, isDeleted }) => revocation(at, isDeleted));

function revocation(at: number, isDeleted: boolean): Command {
  return command(
    `revoke ${at} ${isDeleted}`,
    async (model, real) => {
      const key = pick(model.keys, at);
      if (isDeleted) {
        await real.db.drizzle.delete(apiKeys).where(eq(apiKeys.id, key.id));
        key.isDeleted = true;
      } else if (!key.isRevoked && !key.isDeleted) {
        const input = { accountId: model.accountId, keyId: key.id, actorUserId: null };
        await revokeKey(real.db, input);
        key.isRevoked = true;
      }
    },
    (model) => model.rows.size > 6,
  );
}

const payments = fc.record({ paid: amount(6_000), isRefund: fc.boolean() }).map(({ paid, isRefund }) =>
  command(`${isRefund ? 'refund' : 'top-up'} ${paid}`, async (model, real) => {
    real.serial += 1;
    const amountNanoUsd = isRefund ? paid / 4n + 1n : paid + 1n;
    const entry = {
      accountId: model.accountId,
      amountNanoUsd,
      idempotencyKey: `${model.accountId} ${real.serial}`,
      ...(isRefund
        ? ({ kind: 'refund', debit: 'wallet', credit: 'payments' } as const)
        : ({ kind: 'top_up', debit: 'payments', credit: 'wallet' } as const)),
    };
    expect(await postLedgerEntry(real.db, entry)).toBe(true);
    expect(await postLedgerEntry(real.db, entry)).toBe(false);
    model.paidIn += isRefund ? -amountNanoUsd : amountNanoUsd;
    if (model.available < model.walletHeld) model.isOverdrawn = true;
  }),
);

const planChanges = fc.constant(
  command('plan-change', async (model, { db }) => {
    model.isPrepaid = !model.isPrepaid;
    const planId = model.isPrepaid ? 'standard' : 'internal';
    await setAccountPlan(db, { accountId: model.accountId, planId, actorUserId: null });
  }),
);

/** Enters into the books what was charged until now, of the hour under way too. */
export async function post(model: LedgerModel, real: RealLedger): Promise<void> {
  const before = new Date(Date.now() + 2 * HOUR_MS);
  const { chargedNanoUsd } = await postUsage(real.db, { before });
  expect(chargedNanoUsd).toBe(model.charged - model.posted);
  model.posted = model.charged;
}
const postings = fc.constant(command('post', post));

function text(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? `${part}n` : part));
}

/**
 * Any order of what can happen to an account, two replicas and the three keys they serve; batches most of all.
 * @param options.deletesKeys keys are not only revoked: somebody removes them from the database
 */
export function ledgerCommands(
  size: number,
  { deletesKeys }: { deletesKeys: boolean },
): fc.Arbitrary<Iterable<Command>> {
  const kinds = [
    truths,
    repeats,
    overtaken,
    crashes,
    recoveries,
    revocationsOr(deletesKeys ? fc.boolean() : fc.constant(false)),
    payments,
    planChanges,
    postings,
  ];
  const weighted = [...times(6, batches), ...times(4, truths), ...times(2, crashes), ...kinds];
  // Runs of all lengths, the first ones too.
  return fc.noBias(fc.commands(weighted, { maxCommands: size, size: 'max' }));
}

const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

/** Forgets the replicas of a run. */
export async function forget({ db, replicaIds }: RealLedger): Promise<void> {
  await db.drizzle.delete(replicas).where(inArray(replicas.id, [...replicaIds]));
}
