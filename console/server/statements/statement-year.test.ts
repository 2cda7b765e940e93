import { formatUsd, parseUsd } from '@tollgate/core/money/money';
import { verifyLedger } from '@tollgate/db/queries/ledger/verify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { joinAs, PASSWORD, signUpVerified } from '../testing/people.ts';
import { DAY_MS, HOUR_MS, MODELS, startSimulatedYear, type SimulatedYear } from './simulated-year.fixture.ts';

const MONTHS = 12;
const SLOW = 240_000;

interface Entry {
  id: string;
  at: Date;
  kind: string;
  credit: string;
  amount: bigint;
  hour: Date | null;
}

describe('the statements of a simulated year with refunds, disputes, credits, taxes and plan changes', () => {
  let year: SimulatedYear;
  /** Statements as they were when they became final. */
  const whenFinal = new Map<string, unknown>();
  let reports = 0;
  const client = () => year.payer.visitor.client.statements;
  const get = async (month: string) => client().get.query({ accountId: year.payer.accountId, month });

  beforeAll(async () => {
    year = await startSimulatedYear();
    await simulate();
    await year.payer.visitor.client.auth.signIn.mutate({ email: year.payer.email, password: PASSWORD });
  }, SLOW);
  afterAll(() => year[Symbol.asyncDispose]());

  async function simulate() {
    let late: (() => Promise<void>) | null = null;
    let dispute: { win(): Promise<void> } | null = null;
    const begun = new Date(year.now());
    for (let index = 0; index < MONTHS; index++) {
      const start = Math.max(Date.UTC(begun.getUTCFullYear(), begun.getUTCMonth() + index), year.now());
      const end = Date.UTC(begun.getUTCFullYear(), begun.getUTCMonth() + index + 1);
      await year.moveTo(Math.max(start, Math.min(start + DAY_MS, end - 4 * HOUR_MS)));
      if (index === 6) await year.setPlan('standard');
      if (index === 3 || index === 8) await year.setTaxMode(index === 3 ? 'on_top' : 'included');
      const intent = await year.topUp(`${20 + index}.${10 + index}`);
      if (index % 3 === 1) await year.refund(intent, 500 + index);
      if (index % 4 === 0) await year.refundHere(intent, `3.${10 + index}`);
      await dispute?.win();
      dispute = index % 4 === 2 ? await year.dispute(intent, 1_000 + index) : null;
      if (index % 2 === 0) await year.adjust(1_234_567_891n + BigInt(index));
      if (index % 4 === 3) await year.adjust(-987_654_321n);
      if (index === 5) await year.setPlan('internal');
      if (index === 8) {
        await late?.();
        await year.post();
      }
      for (const [key, model] of [0, 0, 1].map((key, at) => [key, MODELS[(at + index) % 2] ?? 'm'] as const))
        await year.use({ key, model, tokens: 1_000 + 37 * index + key, startedAtMs: year.now() });
      if (index === 2) late = await year.begin({ key: 1, tokens: 777 });
      await year.moveTo(end - HOUR_MS / 2);
      await year.use({ key: 0, model: 'm', tokens: 555 + index, startedAtMs: year.now() });
      // Once, the job that posts usage is down for three days.
      await year.moveTo(index === 9 ? end + 3 * DAY_MS : end + 60_000);
      await year.post();
      await year.moveTo(index === 9 ? year.now() : end + DAY_MS);
      await keepFinal(new Date(end - 1).toISOString().slice(0, 7));
      expect((await verifyLedger(year.on.site.deps.db, { recompute: null })).findings).toEqual([]);
      reports += 1;
    }
  }

  async function keepFinal(month: string) {
    await year.payer.visitor.client.auth.signIn.mutate({ email: year.payer.email, password: PASSWORD });
    whenFinal.set(month, await get(month));
  }

  /** Entries by month, by a separate implementation of the rule. */
  async function readMonths(): Promise<Map<string, Entry[]>> {
    const rows = await year.on.site.deps.db.sql<
      (Omit<Entry, 'at' | 'hour'> & { at: string; hour: string | null })[]
    >`
      SELECT id, at, kind, credit, amount_nano_usd AS amount, usage_hour AS hour FROM ledger_entries
      WHERE account_id = ${year.payer.accountId} ORDER BY at, id`;
    const months = new Map<string, Entry[]>();
    for (const row of rows) {
      const entry = { ...row, at: new Date(row.at), hour: row.hour === null ? null : new Date(row.hour) };
      const hour = entry.hour ?? entry.at;
      const nextMonth = Date.UTC(hour.getUTCFullYear(), hour.getUTCMonth() + 1);
      const isInTime = entry.at.getTime() < nextMonth + DAY_MS;
      const month = (isInTime ? hour : entry.at).toISOString().slice(0, 7);
      months.set(month, [...(months.get(month) ?? []), entry]);
    }
    return months;
  }
  const getChange = ({ credit, amount }: Entry) => (credit === 'wallet' ? amount : -amount);
  const add = (amounts: readonly bigint[]) => amounts.reduce((sum, amount) => sum + amount, 0n);

  it('verified the ledger after every month', () => {
    expect(reports).toBe(MONTHS);
  });

  it('equal the sums of the ledger entries of their month, kind by kind', async () => {
    const months = await readMonths();
    const { statements } = await client().list.query({ accountId: year.payer.accountId });
    expect(statements).toHaveLength(MONTHS + 1);
    let balance = 0n;
    const kinds = new Set<string>();
    for (const row of statements.toReversed()) {
      const entries = months.get(row.month) ?? [];
      expect(BigInt(row.openingNanoUsd)).toBe(balance);
      for (const [kind, sum] of Object.entries(row.sums)) {
        const mine = entries.filter((entry) => entry.kind === kind);
        if (mine.length > 0) kinds.add(kind);
        expect([row.month, kind, BigInt(sum)]).toEqual([row.month, kind, add(mine.map(getChange))]);
      }
      balance += add(entries.map(getChange));
      expect(BigInt(row.closingNanoUsd)).toBe(balance);
    }
    expect(kinds).toEqual(
      new Set(['top_up', 'credit', 'usage', 'adjustment', 'refund', 'dispute', 'dispute_won']),
    );
    expect(balance).toBe(await year.on.getBalance(year.payer.accountId));
  });

  it('list every entry of their month, and the taxes of its receipts and credit notes', async () => {
    const months = await readMonths();
    const { accountId } = year.payer;
    const issued = await year.on.site.deps.db.sql<
      { month: string; number: string; net: bigint; tax: bigint }[]
    >`
      SELECT to_char(issued_at AT TIME ZONE 'UTC', 'YYYY-MM') AS month, number,
        CASE WHEN kind = 'receipt' THEN 1 ELSE -1 END * net_cents::bigint AS net,
        CASE WHEN kind = 'receipt' THEN 1 ELSE -1 END * (amount_cents - net_cents)::bigint AS tax
      FROM billing_documents WHERE account_id = ${accountId}`;
    const addedTaxes = new Set<bigint>();
    for (const month of whenFinal.keys()) {
      const { movements, taxes, otherMovements } = await get(month);
      expect(otherMovements).toBeNull();
      const entries = (months.get(month) ?? []).filter(({ kind }) => kind !== 'usage');
      expect(movements.map(({ id, at, changeNanoUsd }) => [id, at, BigInt(changeNanoUsd)])).toEqual(
        entries.map((entry) => [entry.id, entry.at.toISOString(), getChange(entry)]),
      );
      const documents = issued.filter((document) => document.month === month);
      const numbers = movements.flatMap(({ documentNumber }) => documentNumber ?? []);
      expect(numbers.toSorted()).toEqual(documents.map(({ number }) => number).toSorted());
      expect(taxes.map(({ name, netCents, amountCents }) => [name, netCents, amountCents])).toEqual([
        ['VAT', Number(add(documents.map(({ net }) => net))), Number(add(documents.map(({ tax }) => tax)))],
      ]);
      // Included taxes are a part of the entries, others are not.
      const moved = add(
        movements.filter(({ documentId }) => documentId !== null).map((row) => BigInt(row.changeNanoUsd)),
      );
      addedTaxes.add(moved / 10_000_000n - add(documents.map(({ net }) => net)));
    }
    expect(addedTaxes).toContain(0n);
    expect(addedTaxes.size).toBeGreaterThan(1);
  });

  it('add up from their lines, by key and by model', async () => {
    for (const month of whenFinal.keys()) {
      const view = await get(month);
      const usage = -BigInt(view.sums.usage);
      const moved = add(view.movements.map(({ changeNanoUsd }) => BigInt(changeNanoUsd)));
      expect(BigInt(view.openingNanoUsd) + moved - usage).toBe(BigInt(view.closingNanoUsd));
      expect(add(view.usageByKey.map(({ chargedNanoUsd }) => BigInt(chargedNanoUsd)))).toBe(usage);
      const models = add(view.usageByModel.map(({ chargedNanoUsd }) => BigInt(chargedNanoUsd)));
      expect(models + BigInt(view.otherMonthsNanoUsd)).toBe(usage);
    }
  });

  it('charge usage that is posted or settled late to the month of the posting', async () => {
    const months = [...whenFinal.keys()];
    const views = await Promise.all(months.map(async (month) => get(month)));
    const others = views.map(({ otherMonthsNanoUsd }) => BigInt(otherMonthsNanoUsd));
    // Settled in the ninth month, begun in the third; the last hour of the tenth posted in the eleventh.
    expect(others[8]).toBeGreaterThan(0n);
    expect(others[9]).toBeLessThan(0n);
    expect(others[10]).toBe(-(others[9] ?? 0n));
    expect(others[2]).toBe(-(others[8] ?? 0n));
    expect(others.filter((amount) => amount === 0n)).toHaveLength(MONTHS - 4);
  });

  it('did not change their amounts after they were final', async () => {
    for (const [month, before] of whenFinal) {
      const now = await get(month);
      const { openingNanoUsd, closingNanoUsd, sums, movements, usageByKey } = now;
      expect(before).toMatchObject({ openingNanoUsd, closingNanoUsd, sums, movements, usageByKey });
      expect(now.state).toBe('final');
    }
  });

  it('come as CSV whose amounts add up to the closing balance', async () => {
    const { accountId, visitor } = year.payer;
    for (const month of whenFinal.keys()) {
      const response = await visitor.get(`/exports/statement.csv?accountId=${accountId}&month=${month}`);
      expect(response.headers.get('content-disposition')).toContain(`statement-${month}.csv`);
      const [, ...lines] = (await response.text()).trimEnd().split('\r\n');
      const amounts = lines.map((line) => parseUsd(line.slice(line.lastIndexOf(',') + 1).replace('-', '')));
      const signed = lines.map((line, at) => (/,-[\d.]+$/.test(line) ? -1n : 1n) * (amounts[at] ?? 0n));
      const end = lines.findIndex((line) => line.includes(',closing_balance,'));
      expect(formatUsd(add(signed.slice(0, end)))).toBe(formatUsd(signed[end] ?? 0n));
      const { taxes, parties } = await get(month);
      expect(lines.slice(end + 1)).toEqual([
        ...taxes.map(({ name, ratePpm, netCents, amountCents }) => {
          const [net, amount] = [netCents, amountCents].map((cents) =>
            formatUsd(BigInt(cents) * 10_000_000n),
          );
          return `,tax,,,,,,,,,${name} ${ratePpm / 10_000}%,${net},${amount}`;
        }),
        `,customer,,,,,,,,,${parties.flatMap(({ lines: [line] }) => line ?? []).join()},,`,
      ]);
    }
  });

  it('are for members of the account', async () => {
    const [month = ''] = whenFinal.keys();
    const { accountId } = year.payer;
    const viewer = await joinAs(year.on.site, 'viewer', accountId);
    expect(await viewer.visitor.client.statements.get.query({ accountId, month })).toMatchObject({ month });
    const stranger = await signUpVerified(year.on.site);
    await expect(stranger.visitor.client.statements.get.query({ accountId, month })).rejects.toThrow(
      'This account does not exist.',
    );
    const path = `/exports/statement.csv?accountId=${accountId}&month=${month}`;
    expect((await stranger.visitor.get(path)).status).toBe(404);
  });

  it('do not exist before the first entry and after the current month', async () => {
    for (const month of ['2020-01', '2099-12'])
      await expect(get(month)).rejects.toThrow('This statement does not exist.');
    await expect(get('2026-13')).rejects.toThrow('Use a month like 2026-10.');
    const { accountId, visitor } = year.payer;
    const csv = await visitor.get(`/exports/statement.csv?accountId=${accountId}&month=2020-01`);
    expect([csv.status, await csv.text()]).toEqual([404, 'This statement does not exist.\n']);
  });
});
