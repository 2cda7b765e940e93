import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, type Seen } from './fault-matrix/ask.ts';
import type { Cell } from './fault-matrix/cell.ts';
import type { End, Fault } from './fault-matrix/fault.ts';
import { FAULT_GROUPS } from './fault-matrix/faults/all-faults.ts';
import { judge, type Judged } from './fault-matrix/judge.ts';
import { judgeBill } from './fault-matrix/judge-bill.ts';
import { startMatrixGateway, type MatrixGateway } from './fault-matrix/matrix-gateway.ts';
import { renderFaults } from './fault-matrix/render-faults.ts';
import { createTrials, describeTrial, getExpected, type Trial } from './fault-matrix/trial.ts';

/** Selects faults by their names. */
const ONLY = new RegExp(process.env.FAULT_MATRIX ?? '');
/** Groups of faults that share a gateway: with all of their models, its catalogue would be far larger than any real one. */
const RUNS = [
  FAULT_GROUPS.slice(0, 2),
  FAULT_GROUPS.slice(2, 3),
  FAULT_GROUPS.slice(3, 5),
  FAULT_GROUPS.slice(5, 7),
  FAULT_GROUPS.slice(7),
]
  .map((groups) => groups.flatMap(({ faults }) => faults).filter(({ name }) => ONLY.test(name)))
  .filter((faults) => faults.length > 0)
  .map((faults, number) => ({ name: `part ${number + 1}`, faults }));
/** Requests of one fault at a time. Waiting requests do not need the processor. */
const AT_A_TIME = 4;
const SLOW_AT_A_TIME = 24;

const results = new Map<Trial, { seen: Seen; judged: Judged }>();

function findEnd(trials: readonly Trial[], fault: Fault, cell: Cell): End | null {
  const found = trials.find(
    (trial) => trial.fault === fault && trial.kind === 'backed' && isDeepStrictEqual(trial.cell, cell),
  );
  return found === undefined ? null : (results.get(found)?.judged.end ?? null);
}

async function run(trial: Trial, gateway: MatrixGateway): Promise<void> {
  const { baseUrl } = gateway.getApi(trial.fault);
  const asked = { baseUrl, secret: gateway.secret };
  if (trial.fault.isWarmed === true) await ask(trial, asked);
  const seen = await ask(trial, asked);
  results.set(trial, { seen, judged: await judge(trial, seen) });
}

async function runAll(trials: readonly Trial[], gateway: MatrixGateway): Promise<void> {
  const queue = [...trials];
  const work = async () => {
    for (let trial = queue.shift(); trial !== undefined; trial = queue.shift()) await run(trial, gateway);
  };
  const isSlow = trials.some(({ fault }) => fault.isSlow === true);
  await Promise.all(Array.from({ length: isSlow ? SLOW_AT_A_TIME : AT_A_TIME }, work));
}

/** @returns a line for everything that is not as the table says */
function findProblems(trial: Trial, gateway: MatrixGateway): string[] {
  const found = results.get(trial);
  if (found === undefined) return [`${describeTrial(trial)}: it was not run`];
  const { judged, seen } = found;
  const { end } = getExpected(trial);
  const problems = judged.end === end ? [] : [`${judged.end} in place of ${end}: ${describeSeen(seen)}`];
  const calls = gateway.getProvider(trial).countCalls(trial);
  if (end !== 'second' && calls.second > 0) problems.push('the second provider was called');
  if (trial.fault.isCallers === true && calls.first !== 1)
    problems.push(`the first one was called ${calls.first} times`);
  return [...problems, ...judged.problems].map((problem) => `${describeTrial(trial)}: ${problem}`);
}

function describeSeen({ status, broken, text }: Seen): string {
  return `${status} ${broken ?? ''} ${text.slice(0, 200)} … ${text.slice(-200)}`;
}

describe.each(RUNS)('a provider with a fault, $name', ({ faults }) => {
  const cases = faults.map((fault, number) => ({ name: fault.name, trials: createTrials(fault, number) }));
  const all = cases.flatMap(({ trials }) => trials);
  let gateway: MatrixGateway;

  beforeAll(async () => {
    gateway = await startMatrixGateway(all);
    // The first requests load code: nothing must be late because of it.
    const first = cases.find(({ trials }) => trials.every(({ fault }) => fault.isSlow !== true));
    for (const trial of first?.trials ?? []) await run(trial, gateway);
  }, 120_000);

  afterAll(async () => {
    process.stdout.write(`\n${renderFaults(faults, (fault, cell) => findEnd(all, fault, cell))}`);
    await gateway[Symbol.asyncDispose]();
  });

  it.concurrent.each(cases)(
    'gives the end of the table: $name',
    async ({ trials }) => {
      await runAll(
        trials.filter((trial) => !results.has(trial)),
        gateway,
      );
      expect(trials.flatMap((trial) => findProblems(trial, gateway))).toEqual([]);
    },
    180_000,
  );

  it('leaves one true record of each request, and nothing on hold', async () => {
    for (const { deps } of gateway.apis) await deps.ledger.flush();
    const ledger = await gateway.readLedger();
    expect({ held: ledger.heldNanoUsd, requests: ledger.heldRequests }).toEqual({ held: 0n, requests: 0 });
    expect(ledger.spentNanoUsd).toBe(ledger.rows.reduce((sum, { costNanoUsd }) => sum + costNanoUsd, 0n));
    const rows = Map.groupBy(ledger.rows, ({ id }) => id);
    const problems = all.flatMap((trial) => {
      const found = results.get(trial);
      if (found === undefined) return [];
      const { seen, judged } = found;
      return judgeBill(trial, seen, judged, rows.get(seen.requestId) ?? []).map(
        (problem) => `${trial.fault.name}, ${describeTrial(trial)}: ${problem}`,
      );
    });
    expect(problems).toEqual([]);
  });

  it('leaves no request, connection, memory or place at a provider in use', async () => {
    for (const { deps } of gateway.apis) {
      const { inFlight, largeAnswers, bodyBudget, upstreams } = deps;
      const used = [inFlight.size, largeAnswers.budget.usedBytes, bodyBudget.usedBytes];
      expect(used).toEqual([0, 0, 0]);
      const places = all.flatMap(({ id }) => [`prov_${id}-first`, `prov_${id}-second`]);
      expect(places.filter((id) => upstreams.concurrency.getCount(id) > 0)).toEqual([]);
    }
    const countUnfinished = () => gateway.providers.reduce((sum, { unfinished }) => sum + unfinished.size, 0);
    await expect.poll(countUnfinished).toBe(0);
  });

  it('counts no fault of a caller against its route, and reaches no server with an invalid certificate', () => {
    const isFailing = ({ id, fault }: Trial) =>
      gateway.getApi(fault).deps.upstreams.breakers.isFailing(`route_${id}-first`);
    const callers = all.filter(({ fault }) => fault.isCallers === true);
    expect(callers.filter(isFailing).map(describeTrial)).toEqual([]);
    expect(gateway.reachedDeadAddresses()).toBe(0);
  });
});
