import { formatUsd, type NanoUsd } from '@tollgate/core/money/money';
import { createMeteredModel } from '@tollgate/testing/fake-provider/metered-model';
import { HAS_ALL_ROUTING } from '@tollgate/testing/ledger-routing';
import { afterAll, expect, it } from 'vitest';
import type { Answer } from './harness/ask.ts';
import { audit, describeAudit } from './harness/audit.ts';
import { readBalance, readKey, untilReleased } from './harness/ledger-snapshot.ts';
import { runLoad } from './harness/load.ts';
import { openLedgerHarness } from './harness/create-cluster.ts';
import { countStatuses, explainFailures, readRefusals } from './harness/refusals.ts';
import { METERED_MODEL, type Payer } from './harness/scene.ts';

const ROUNDS = Number(process.env.STAMPEDE_ROUNDS ?? 1);
const CLIENTS = Number(process.env.STAMPEDE_CLIENTS ?? 1_000);
const PROCESSES = 3;
const DOLLAR: NanoUsd = 1_000_000_000n;
const SHARING_KEYS = 50;
/**
 * Limit for the share of provider calls whose hold was refused while they ran. On a quiet machine at most 0.01 was measured,
 * next to other tests 0.07; without the holds of other replicas it was 0.39. With hedging, most calls have a second one.
 */
const MAX_DISCARDED = HAS_ALL_ROUTING ? 0.7 : 0.1;
const RELEASED_WITHIN_MS = 60_000;

const harness = await openLedgerHarness(PROCESSES);
const { scene } = harness;
afterAll(() => harness[Symbol.asyncDispose]());

const ROUND_NUMBERS = Array.from({ length: ROUNDS }, (_, index) => index + 1);
const options = { timeout: 150_000 };

it.each(ROUND_NUMBERS)(
  'a budget of a dollar is never exceeded, and used up to the last request (%i)',
  options,
  async (round) => {
    const payers = await scene.createPayers({
      keys: 1,
      creditNanoUsd: null,
      scope: { maxBudgetUsd: '1.00' },
    });
    const answers = await stampede(`budget-${round}`, payers, round % 2 === 1 ? 1_000 : null);
    const [payer] = payers;
    const book = await readKey(scene.db, payer?.keyId ?? '');
    expect(book.held).toBe(0n);
    expect(book.spent <= DOLLAR).toBe(true);
    checkRefusals(answers, DOLLAR - book.spent);
  },
);

it.each(ROUND_NUMBERS)(
  'a balance of a dollar is never exceeded by fifty keys that share it (%i)',
  options,
  async (round) => {
    const payers = await scene.createPayers({ keys: SHARING_KEYS, creditNanoUsd: DOLLAR });
    const answers = await stampede(`balance-${round}`, payers, round % 2 === 1 ? 1_000 : null);
    const book = await readBalance(scene.db, payers[0]?.accountId ?? '');
    expect(book.held).toBe(0n);
    expect(book.available >= 0n).toBe(true);
    checkRefusals(answers, book.available);
  },
);

/** Runs every client until each has a response or a 402, then compares the ledger. */
async function stampede(name: string, payers: readonly Payer[], maxTokens: number | null): Promise<Answer[]> {
  scene.provider.reset();
  scene.provider.always(createMeteredModel({ thinkMs: 30, pieces: 6, intervalMs: 10 }));
  const startMs = performance.now();
  const answers = await runLoad({
    ...harness,
    payers,
    model: METERED_MODEL,
    clients: CLIENTS,
    name,
    maxTokens,
    honoursRetryAfter: true,
  });
  const tookMs = performance.now() - startMs;
  const releasedMs = await untilReleased(scene.db, RELEASED_WITHIN_MS);
  const audited = await audit({ db: scene.db, provider: scene.provider, payers, answers });
  process.stdout.write(
    `Stampede ${name}, ${CLIENTS} clients, ${PROCESSES} processes, ${(tookMs / 1000).toFixed(1)} s: ` +
      `${countStatuses(answers)}; ${describeAudit(audited)}; nothing held after ${releasedMs.toFixed(0)} ms\n${explainFailures(harness.fleet, answers)}`,
  );
  // On an overloaded machine the database may not respond for seconds: clients that get a 503 retry.
  expect(harness.fleet.running()).toHaveLength(PROCESSES);
  const reached = answers.filter((answer) => answer.ending !== 'closed' && !isToldToWait(answer));
  expect(new Set(reached.map(({ status }) => status))).toEqual(new Set([200, 402, 429]));
  expect(reached.filter(({ ending }) => ending !== 'whole')).toEqual([]);
  expect(audited).toMatchObject({ missing: [], duplicates: [], differing: [], violations: [], estimated: 0 });
  expect(audited.billedNanoUsd).toBe(audited.meteredNanoUsd);
  expect(audited.billedNanoUsd <= DOLLAR).toBe(true);
  // Calls whose hold was refused after they had been sent.
  const discarded = audited.unbilled / (audited.unbilled + audited.exact);
  process.stdout.write(`  discarded provider calls: ${(100 * discarded).toFixed(1)} %\n`);
  expect(discarded).toBeLessThan(MAX_DISCARDED);
  return answers;
}

function isToldToWait({ status, error, retryAfterSeconds }: Answer): boolean {
  return (
    status === 503 && retryAfterSeconds !== null && (error === 'ledger_unavailable' || error === 'api_error')
  );
}

/** A 402 is final: it must have been true when it was sent, and the rest must be too small for any request. */
function checkRefusals(answers: readonly Answer[], leftNanoUsd: NanoUsd): void {
  const reserved = answers.filter(({ status }) => status === 429);
  expect(reserved.filter(({ retryAfterSeconds }) => retryAfterSeconds === null)).toEqual([]);
  expect(reserved.filter(({ error }) => error !== 'budget_reserved' && error !== 'rate_limit_error')).toEqual(
    [],
  );
  const refusals = readRefusals(answers);
  expect(refusals.filter(({ leftNanoUsd: left, neededNanoUsd }) => left >= neededNanoUsd)).toEqual([]);
  // Nothing is refunded: the amount left was never lower than at the end.
  expect(refusals.filter(({ leftNanoUsd: left }) => left < leftNanoUsd)).toEqual([]);
  const needed = refusals.map(({ neededNanoUsd }) => neededNanoUsd).filter((amount) => amount > 1n);
  const least = needed.reduce((low, amount) => (amount < low ? amount : low), needed[0] ?? 0n);
  process.stdout.write(
    `  left: $${formatUsd(leftNanoUsd)}; the least that a request needed: $${formatUsd(least)}\n`,
  );
  expect(leftNanoUsd < least).toBe(true);
}
