import { formatUsd } from '@tollgate/core/money/money';
import { ENTRY_LABELS, listShownKinds } from '@tollgate/core/money/entry-labels';
import { getMonthRange, type StatementMonth } from '@tollgate/core/money/statement-month';
import { formatRate } from '@tollgate/core/money/taxes';
import { formatDay } from '../documents/document-sheet.ts';
import type { Sheet, SheetTable } from '../documents/sheet.ts';
import { showCents } from '../payments/amounts.ts';
import type { StatementView } from './statement-view.ts';

const DAY_MS = 86_400_000;

export function getStatementSheet(view: StatementView): Sheet {
  const state = {
    open: `In progress, final on ${formatDay(new Date(view.finalAt))}`,
    closing: `Closing, final on ${formatDay(new Date(view.finalAt))}`,
    final: 'Final',
  }[view.state];
  return {
    title: `Statement for ${describeMonth(view.month)}`,
    number: view.month,
    warning: view.state === 'final' ? null : 'This statement is not final. Its amounts can change.',
    parties: view.parties,
    facts: [
      [
        'Period',
        `${formatDay(new Date(view.from))} to ${formatDay(new Date(Date.parse(view.to) - DAY_MS))}, UTC`,
      ],
      ['Status', state],
      ['Currency', 'USD'],
    ],
    tables: [
      getSummary(view),
      getMovements(view),
      getKeyCharges(view),
      getModelCharges(view),
      ...(view.taxes.length === 0 ? [] : [getTaxes(view)]),
    ],
    notes: [],
  };
}

/** `2026-10` → `October 2026`. */
function describeMonth(month: StatementMonth): string {
  const { from } = getMonthRange(month);
  return from.toLocaleDateString('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });
}

function getSummary(view: StatementView): SheetTable {
  return {
    heading: 'Summary',
    columns: getColumns('Description', 'Amount'),
    rows: [
      ['Opening balance', showAmount(view.openingNanoUsd)],
      ...listShownKinds(view.sums).map((kind) => [ENTRY_LABELS[kind].sum, showAmount(view.sums[kind])]),
    ],
    foot: [
      [view.state === 'final' ? 'Closing balance' : 'Balance so far', showAmount(view.closingNanoUsd)],
      ...(view.pending === null
        ? []
        : [
            ['Pending usage', showAmount((-BigInt(view.pending.usageNanoUsd)).toString())],
            ['On hold for requests in progress', showAmount((-BigInt(view.pending.heldNanoUsd)).toString())],
          ]),
    ],
  };
}

function getMovements({ movements, otherMovements }: StatementView): SheetTable {
  return {
    heading: 'Payments, credit and adjustments',
    columns: [{ head: 'Date', isNumber: false }, ...getColumns('Description', 'Amount')],
    rows: [
      ...movements.map(({ at, kind, reason, documentNumber, changeNanoUsd }) => [
        formatDay(new Date(at)),
        [ENTRY_LABELS[kind].one, documentNumber ?? '', reason ?? '']
          .filter((part) => part !== '')
          .join(' · '),
        showAmount(changeNanoUsd),
      ]),
      ...listRest(otherMovements, 'more entries').map(([name, amount]) => ['', name, showAmount(amount)]),
    ],
    foot: [],
  };
}

function getKeyCharges(view: StatementView): SheetTable {
  return {
    heading: 'Usage by key',
    columns: getColumns('Key', 'Charged'),
    rows: [
      ...view.usageByKey.map(({ keyId, keyName, chargedNanoUsd }) => [
        keyName ?? keyId,
        showAmount(chargedNanoUsd),
      ]),
      ...listRest(view.otherKeys, 'more keys').map(([name, amount]) => [name, showAmount(amount)]),
    ],
    foot: [['Total', showUsage(view)]],
  };
}

function getModelCharges(view: StatementView): SheetTable {
  const others = [
    ...listRest(view.otherModels, 'more models'),
    ...(view.otherMonthsNanoUsd === '0' ? [] : [['Late charges', view.otherMonthsNanoUsd] as const]),
  ];
  return {
    heading: 'Usage by model',
    columns: getColumns('Model', 'Requests', 'Charged'),
    rows: [
      ...view.usageByModel.map(({ model, requests, chargedNanoUsd }) => [
        model || 'Unknown model',
        requests.toLocaleString('en-US'),
        showAmount(chargedNanoUsd),
      ]),
      ...others.map(([name, amount]) => [name, '', showAmount(amount)]),
    ],
    foot: [['Total', '', showUsage(view)]],
  };
}

function showUsage({ sums }: StatementView): string {
  return showAmount((-BigInt(sums.usage)).toString());
}

function getTaxes({ taxes }: StatementView): SheetTable {
  const show = (cents: number) => `${cents < 0 ? '−' : ''}$${showCents(Math.abs(cents))}`;
  return {
    heading: 'Taxes of receipts and credit notes',
    columns: getColumns('Tax', 'Net amount', 'Tax amount'),
    rows: taxes.map(({ name, ratePpm, netCents, amountCents }) => [
      `${name} ${formatRate(ratePpm)}`,
      show(netCents),
      show(amountCents),
    ]),
    foot: [],
  };
}

function getColumns(...heads: string[]): SheetTable['columns'] {
  return heads.map((head, index) => ({ head, isNumber: index > 0 }));
}

function listRest(rest: StatementView['otherKeys'], what: string): (readonly [string, string])[] {
  return rest === null ? [] : [[`${rest.count} ${what}, listed in the CSV`, rest.nanoUsd]];
}

/** `"-1234567890000"` → `−$1,234.56789`. */
function showAmount(nanoUsd: string): string {
  const amount = BigInt(nanoUsd);
  const [whole = '0', fraction = '00'] = formatUsd(amount < 0n ? -amount : amount).split('.');
  return `${amount < 0n ? '−' : ''}$${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${fraction}`;
}
