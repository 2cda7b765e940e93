import type {
  PendingAmounts,
  Statement,
  StatementMovement,
} from '@tollgate/db/queries/ledger/statements/read-statement';
import type { StatementHead } from '@tollgate/db/queries/ledger/statements/list-statements';
import type { KeyCharge } from '@tollgate/db/queries/ledger/statements/statement-usage';
import { sumTaxes, type TaxSum } from '@tollgate/db/queries/documents/list-documents';
import type { JsonOf } from '../as-json.ts';
import { describeCustomer } from '../documents/document-sheet.ts';
import type { Sheet } from '../documents/sheet.ts';

/** Movements, keys and models that a page lists one by one; the CSV has all. */
const MAX_MOVEMENTS = 500;
const MAX_CHARGES = 100;

/** Row of the list of months. Amounts are decimal integers of nano-dollars, with their sign. */
export type StatementRow = JsonOf<StatementHead>;

/** The rows beyond the listed ones, in sum. */
interface Rest {
  count: number;
  nanoUsd: string;
}

export interface StatementView extends StatementRow {
  from: string;
  /** Exclusive. */
  to: string;
  /** What is not in the ledger yet, of the month in progress; null: another month. */
  pending: JsonOf<PendingAmounts> | null;
  movements: JsonOf<StatementMovement>[];
  /** null: all are listed. */
  otherMovements: Rest | null;
  usageByKey: JsonOf<Omit<KeyCharge, 'keyTags'>>[];
  otherKeys: Rest | null;
  usageByModel: { model: string; requests: number; chargedNanoUsd: string }[];
  otherModels: Rest | null;
  /** Usage of other months that was posted in this one, less usage of this month that was posted later. */
  otherMonthsNanoUsd: string;
  /** Who issues the statement and for whom, as of now. */
  parties: Sheet['parties'];
  /** Taxes of the month's receipts less those of its credit notes. */
  taxes: TaxSum[];
}

export function toStatementRow(head: StatementHead): StatementRow {
  const { top_up, credit, usage, adjustment, refund, dispute, dispute_won } = head.sums;
  return {
    month: head.month,
    state: head.state,
    finalAt: head.finalAt.toISOString(),
    openingNanoUsd: head.openingNanoUsd.toString(),
    closingNanoUsd: head.closingNanoUsd.toString(),
    sums: {
      top_up: top_up.toString(),
      credit: credit.toString(),
      usage: usage.toString(),
      adjustment: adjustment.toString(),
      refund: refund.toString(),
      dispute: dispute.toString(),
      dispute_won: dispute_won.toString(),
    },
  };
}

/** @param issuer the operator's name and address; null: none is set */
export function toStatementView(statement: Statement, issuer: string | null): StatementView {
  const { movements, usage } = statement;
  const models = sumByModel(statement);
  return {
    ...toStatementRow(statement),
    from: statement.from.toISOString(),
    to: statement.to.toISOString(),
    pending: statement.pending && {
      usageNanoUsd: statement.pending.usageNanoUsd.toString(),
      heldNanoUsd: statement.pending.heldNanoUsd.toString(),
    },
    movements: movements.slice(0, MAX_MOVEMENTS).map((movement) => ({
      ...movement,
      at: movement.at.toISOString(),
      changeNanoUsd: movement.changeNanoUsd.toString(),
    })),
    otherMovements: sumRest(movements.slice(MAX_MOVEMENTS).map(({ changeNanoUsd }) => changeNanoUsd)),
    usageByKey: usage.byKey.slice(0, MAX_CHARGES).map(({ keyId, keyName, chargedNanoUsd }) => ({
      keyId,
      keyName,
      chargedNanoUsd: chargedNanoUsd.toString(),
    })),
    otherKeys: sumRest(usage.byKey.slice(MAX_CHARGES).map(({ chargedNanoUsd }) => chargedNanoUsd)),
    usageByModel: models
      .slice(0, MAX_CHARGES)
      .map((row) => ({ ...row, chargedNanoUsd: row.chargedNanoUsd.toString() })),
    otherModels: sumRest(models.slice(MAX_CHARGES).map(({ chargedNanoUsd }) => chargedNanoUsd)),
    otherMonthsNanoUsd: usage.otherMonthsNanoUsd.toString(),
    parties: listParties(statement, issuer),
    taxes: sumTaxes(statement.documents),
  };
}

export function listParties({ customer, accountName }: Statement, issuer: string | null): Sheet['parties'] {
  return [
    ...(issuer === null ? [] : [{ heading: 'From', lines: [issuer] }]),
    { heading: 'For', lines: describeCustomer({ ...customer, accountName, payerEmail: '' }) },
  ];
}

/** Names the files of a statement: `2026-10`, `2026-11-not-final`. */
export function getFilePeriod({ month, state }: Pick<StatementHead, 'month' | 'state'>): string {
  return state === 'final' ? month : `${month}-not-final`;
}

interface ModelSum {
  model: string;
  requests: number;
  chargedNanoUsd: bigint;
}

/** Models over all keys, the highest charge first. */
function sumByModel({ usage }: Statement): ModelSum[] {
  const sums = new Map<string, ModelSum>();
  for (const { model, requests, chargedNanoUsd } of usage.byModel) {
    const sum = sums.get(model) ?? { model, requests: 0, chargedNanoUsd: 0n };
    sum.requests += requests;
    sum.chargedNanoUsd += chargedNanoUsd;
    sums.set(model, sum);
  }
  return [...sums.values()].toSorted(
    (a, b) => Number(a.chargedNanoUsd < b.chargedNanoUsd) - Number(a.chargedNanoUsd > b.chargedNanoUsd),
  );
}

function sumRest(amounts: readonly bigint[]): Rest | null {
  if (amounts.length === 0) return null;
  return { count: amounts.length, nanoUsd: amounts.reduce((sum, amount) => sum + amount, 0n).toString() };
}
