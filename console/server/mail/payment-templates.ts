import { layOutMail } from '@tollgate/mail/lay-out-mail';
import type { Mail } from '@tollgate/mail/queue-mail';

// Amounts are decimals of dollars.

export function receiptMail(input: {
  amountUsd: string;
  receiptNumber: string;
  isAutomatic: boolean;
  isTest: boolean;
  link: string;
}): Mail {
  const how = input.isAutomatic ? 'The automatic top-up of' : 'Your payment of';
  return layOutMail({
    subject: `Receipt ${input.receiptNumber} from Tollgate`,
    paragraphs: [
      `${how} $${input.amountUsd} has arrived and is in your balance.`,
      ...(input.isTest ? ['It was a test: no money has moved.'] : []),
    ],
    action: { label: 'Open the receipt', link: input.link },
    closing: [`Receipt number: ${input.receiptNumber}`],
  });
}

export function reversalMail(input: {
  kind: 'refund' | 'dispute';
  /** False: it was given back. */
  isTaken: boolean;
  amountUsd: string;
  /** Of the payment. */
  receiptNumber: string;
  link: string;
}): Mail {
  const { kind, isTaken, amountUsd } = input;
  const sentences = {
    refund: isTaken
      ? `$${amountUsd} of a payment was refunded, and taken from your balance.`
      : `A refund of $${amountUsd} did not go through: the amount is back in your balance.`,
    dispute: isTaken
      ? `A payment was disputed with the bank. $${amountUsd} was taken from your balance until that is decided.`
      : `A dispute was decided in our favour: $${amountUsd} is back in your balance.`,
  };
  const subjects = {
    refund: isTaken ? 'A payment was refunded' : 'A refund did not go through',
    dispute: isTaken ? 'A payment was disputed' : 'A dispute has ended',
  };
  return layOutMail({
    subject: subjects[kind],
    paragraphs: [sentences[kind]],
    action: { label: 'See your balance', link: input.link },
    closing: [`Receipt number of the payment: ${input.receiptNumber}`],
  });
}

export function autoTopUpOffMail(input: { amountUsd: string; failure: string; link: string }): Mail {
  return layOutMail({
    subject: 'Automatic top-up was switched off',
    paragraphs: [
      `The automatic top-up of $${input.amountUsd} has failed three times in a row, so it was switched off. Your keys go on working until the balance is used up.`,
      `What the bank said last: ${input.failure}`,
    ],
    action: { label: 'Top up or change the card', link: input.link },
    closing: [],
  });
}

export function lowBalanceMail(input: { availableUsd: string; thresholdUsd: string; link: string }): Mail {
  return layOutMail({
    subject: 'Your Tollgate balance is low',
    paragraphs: [
      `$${input.availableUsd} is left in your balance, less than the $${input.thresholdUsd} at which you wanted to be told. When it is used up, requests are refused.`,
    ],
    action: { label: 'Top up', link: input.link },
    closing: ['You are told once, and again when the balance has risen above that and fallen below it.'],
  });
}

export interface BudgetLine {
  keyName: string;
  percent: number;
  spentUsd: string;
  budgetUsd: string;
}

/** @param input.lines at least one; `more` others are left out of the mail */
export function budgetMail(input: { lines: readonly BudgetLine[]; more: number; link: string }): Mail {
  const [first] = input.lines;
  const isOne = input.lines.length === 1 && first !== undefined;
  const lines = input.lines.map(
    ({ keyName, percent, spentUsd, budgetUsd }) =>
      `${keyName}: ${percent === 100 ? 'its budget is used up' : `${percent} % of its budget is used`} ($${spentUsd} of $${budgetUsd})`,
  );
  return layOutMail({
    subject: isOne ? `A key has used ${first.percent} % of its budget` : 'Keys are using up their budgets',
    paragraphs: [...lines, ...(input.more > 0 ? [`… and ${input.more} more.`] : [])],
    action: { label: 'See your keys', link: input.link },
    closing: ['Requests of a key whose budget is used up are refused; other keys go on.'],
  });
}
