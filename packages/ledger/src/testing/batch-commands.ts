import type { HoldRequest, RequestRecord } from '@tollgate/core/money/ledger';
import type { NanoUsd } from '@tollgate/core/money/money';
import { commitLedgerBatch } from '@tollgate/db/queries/ledger/commit-batch';
import { holdRequest, requestRecord, getSettlement } from '@tollgate/testing/ledger-records';
import fc from 'fast-check';
import { expect } from 'vitest';
import type { LedgerModel, ModelKey, ModelRow } from './ledger-model.ts';
import { amount, command, commitBoth, pick, rowsIn, text, type RealLedger } from './real-ledger.ts';

interface HoldSpec {
  key: number;
  amounts: readonly [NanoUsd, NanoUsd, NanoUsd];
  /** What all turns cost in addition to the first. */
  turns: NanoUsd;
  isNamed: boolean;
  input: NanoUsd;
}
const holdSpec: fc.Arbitrary<HoldSpec> = fc.record({
  key: fc.nat(2),
  amounts: fc.tuple(amount(2_500), amount(1_500), amount(700)),
  turns: fc.oneof(fc.constant(0n), amount(3_000)),
  isNamed: fc.boolean(),
  input: amount(900),
});

function toHold(model: LedgerModel, { key: at, amounts, turns, isNamed, input }: HoldSpec): HoldRequest {
  const key = pick(model.keys, at);
  const onceNanoUsd = amounts[0] + amounts[1] + amounts[2];
  const minNanoUsd = isNamed ? onceNanoUsd : amounts[2];
  const softNanoUsd = isNamed ? onceNanoUsd : amounts[1] + amounts[2];
  return holdRequest(
    { accountId: model.accountId, keyId: key.id },
    {
      chargesBalance: model.isPrepaid,
      keyCapNanoUsd: key.cap,
      inputCostNanoUsd: input,
      wantNanoUsd: onceNanoUsd + turns,
      softNanoUsd,
      minNanoUsd,
      keyMinNanoUsd: minNanoUsd + turns,
    },
  );
}

/** Outcome of a request: `part` of the hold in percent; 0: released; above 100: cost exceeded the hold. */
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
  return getSettlement(hold, {
    costNanoUsd: (granted * BigInt(part)) / 100n,
    operatorCostNanoUsd: burned,
    errorCode: isError ? 'upstream_error' : null,
  });
}

/** Distinct rows in pick order. */
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
      const bare = spec.bare.map(({ key: at, cost }) => createFree(model, pick(model.keys, at), cost));
      const settlements = [...endings(rowsIn(model, 'held'), spec.ends), ...bare];
      const holds = spec.holds.map((hold) => toHold(model, hold));
      const replicaId = pick(real.replicaIds, spec.replica);
      await commitBoth(model, real, { replicaId, settlements, holds }, spec.isReplyLost);
    }),
  );

/** Settles requests without holds, of a key without a budget on an unbilled plan. */
function createFree(model: LedgerModel, key: ModelKey, cost: NanoUsd): RequestRecord {
  const owner = { accountId: model.accountId, keyId: key.id };
  return requestRecord(owner, { costNanoUsd: key.cap === null ? cost : 0n });
}

/** Late settlements of replicas that were treated as stale, possibly concurrent with their recovery. */
const truths = fc
  .record({ ends: fc.array(endSpec, { minLength: 1, maxLength: 4 }), isFoundAgain: fc.boolean() })
  .map(({ ends, isFoundAgain }) =>
    command(
      `truth ${text(ends)} ${isFoundAgain}`,
      (model, real) => {
        const settlements = endings(rowsIn(model, 'guessed'), ends);
        const settled = new Set(settlements.map(({ id }) => id));
        const other = rowsIn(model, 'guessed').find(({ id }) => !settled.has(id));
        const [end] = ends;
        if (isFoundAgain && other !== undefined && end !== undefined)
          settlements.unshift({ ...toSettlement(other, end), recovered: true });
        return commitBoth(model, real, { replicaId: real.replicaIds[0], settlements });
      },
      (model) => rowsIn(model, 'guessed').length > 0,
    ),
  );

/** Sends stored settlements again, possibly with other amounts, and late estimates. */
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

/** A delayed batch arrives after its requests were settled: it must have no effect. */
const overtaken = fc
  .tuple(holdSpec, amount(200))
  .map(([spec, burned]) =>
    command(`overtaken ${text(spec)}`, (model, real) =>
      beOvertaken(model, real, toHold(model, spec), burned),
    ),
  );

async function beOvertaken(
  model: LedgerModel,
  real: RealLedger,
  hold: HoldRequest,
  burned: NanoUsd,
): Promise<void> {
  const end = { costNanoUsd: 0n, operatorCostNanoUsd: burned, errorCode: 'ledger_unavailable' };
  const [replicaId] = real.replicaIds;
  await commitBoth(model, real, { replicaId, settlements: [getSettlement(hold, end)] });
  const late = { replicaId, settlements: [], holds: [hold], isRetry: false };
  const verdicts = await commitLedgerBatch(real.db.sql, late).then(
    (commit) => commit.verdicts,
    () => [],
  );
  expect(verdicts.filter(({ ok }) => ok)).toHaveLength(0);
  // Rejected, or funds were too low. A hold also counts as a heartbeat.
  if (verdicts.length > 0) real.silent.delete(replicaId);
}

/** Commands that use the ledger's transaction. */
export const batchCommands = { batches, truths, repeats, overtaken };
