import { layOutMail } from '@tollgate/mail/lay-out-mail';
import type { Mail } from '@tollgate/mail/queue-mail';

// Amounts are decimals of dollars. Members choose account names: no subject contains one.

export function receiptMail(input: {
  accountName: string;
  amountUsd: string;
  /** The amount without added taxes. */
  creditUsd: string;
  receiptNumber: string;
  isAutomatic: boolean;
  isTest: boolean;
  link: string;
}): Mail {
  const how = input.isAutomatic ? 'The automatic top-up of' : 'Your payment of';
  return layOutMail({
    subject: `Receipt ${input.receiptNumber} from Tollgate`,
    paragraphs: [
      input.amountUsd === input.creditUsd
        ? `${how} $${input.amountUsd} was received and added to your balance.`
        : `${how} $${input.amountUsd}, taxes included, was received. $${input.creditUsd} was added to your balance.`,
      ...(input.isTest ? ['This was a test payment. No money was charged.'] : []),
    ],
    action: { label: 'Open receipt', link: input.link },
    closing: [`Receipt number: ${input.receiptNumber}`, nameAccount(input)],
  });
}

const AUTO_TOP_UP_STOPPED =
  'Automatic top-up was turned off, because the balance is now below its threshold and your card would be charged again. You can turn it on again in Billing.';

export function reversalMail(input: {
  accountName: string;
  kind: 'refund' | 'dispute';
  /** False: it was given back. */
  isTaken: boolean;
  /** In the operator's words; null: none was given. */
  reason: string | null;
  /** Whether automatic top-ups were turned off with it. */
  stopsAutoTopUp: boolean;
  amountUsd: string;
  /** The amount without added taxes. */
  creditUsd: string;
  /** Of the payment. */
  receiptNumber: string;
  link: string;
}): Mail {
  const { kind, isTaken, amountUsd, creditUsd, reason, stopsAutoTopUp } = input;
  const moved = amountUsd === creditUsd ? 'The amount' : `$${creditUsd}, the amount without taxes,`;
  const sentences = {
    refund: isTaken
      ? `$${amountUsd} of a payment was refunded. ${moved} was deducted from your balance.`
      : `A refund of $${amountUsd} failed. ${moved} was added back to your balance.`,
    dispute: isTaken
      ? `$${amountUsd} of a payment was disputed with the bank. ${moved} was deducted from your balance until the dispute is resolved.`
      : `A dispute of $${amountUsd} was resolved in our favor. ${moved} was added back to your balance.`,
  };
  const subjects = {
    refund: isTaken ? 'A payment was refunded' : 'A refund failed',
    dispute: isTaken ? 'A payment was disputed' : 'A dispute was resolved',
  };
  return layOutMail({
    subject: subjects[kind],
    paragraphs: [
      sentences[kind],
      ...(reason === null ? [] : [`Reason: ${reason}`]),
      ...(stopsAutoTopUp ? [AUTO_TOP_UP_STOPPED] : []),
    ],
    action: { label: 'View balance', link: input.link },
    closing: [`Receipt number of the payment: ${input.receiptNumber}`, nameAccount(input)],
  });
}

export function autoTopUpOffMail(input: {
  accountName: string;
  amountUsd: string;
  failure: string;
  link: string;
}): Mail {
  return layOutMail({
    subject: 'Automatic top-up was turned off',
    paragraphs: [
      `The automatic top-up of $${input.amountUsd} failed three times in a row and was turned off. Your keys keep working until the balance is used up.`,
      `Last error: ${input.failure}`,
    ],
    action: { label: 'Top up or change the card', link: input.link },
    closing: [nameAccount(input)],
  });
}

export function monthlyMaximumMail(input: {
  accountName: string;
  /** Of one top-up. */
  amountUsd: string;
  maxUsd: string;
  /** A day, such as 1 December 2026. */
  nextMonth: string;
  link: string;
}): Mail {
  return layOutMail({
    subject: 'Automatic top-ups reached the monthly maximum',
    paragraphs: [
      `Another automatic top-up of $${input.amountUsd} would exceed your maximum of $${input.maxUsd} a month. No more are charged before ${input.nextMonth} (UTC).`,
      'Your keys keep working until the balance is used up. You can raise the maximum or top up manually.',
    ],
    action: { label: 'Open Billing', link: input.link },
    closing: [nameAccount(input)],
  });
}

export function lowBalanceMail(input: {
  accountName: string;
  availableUsd: string;
  thresholdUsd: string;
  link: string;
}): Mail {
  return layOutMail({
    subject: 'Your Tollgate balance is low',
    paragraphs: [
      `Your balance is $${input.availableUsd}, below your threshold of $${input.thresholdUsd}. When it is used up, requests are rejected.`,
    ],
    action: { label: 'Top up', link: input.link },
    closing: ['You get this email each time the balance falls below the threshold.', nameAccount(input)],
  });
}

export interface BudgetLine {
  keyName: string;
  percent: number;
  spentUsd: string;
  budgetUsd: string;
}

/** @param input.lines at least one; `more` others are left out of the email */
export function budgetMail(input: {
  accountName: string;
  lines: readonly BudgetLine[];
  more: number;
  link: string;
}): Mail {
  const [first] = input.lines;
  const isOne = input.lines.length === 1 && first !== undefined;
  const lines = input.lines.map(
    ({ keyName, percent, spentUsd, budgetUsd }) =>
      `${keyName}: ${percent === 100 ? 'its budget is used up' : `${percent}% of its budget is used`} ($${spentUsd} of $${budgetUsd})`,
  );
  return layOutMail({
    subject: isOne
      ? `A key has used ${first.percent}% of its budget`
      : 'Keys have used most of their budgets',
    paragraphs: [...lines, ...(input.more > 0 ? [`… and ${input.more} more.`] : [])],
    action: { label: 'View keys', link: input.link },
    closing: [
      'When a key uses up its budget, its requests are rejected. Other keys keep working.',
      nameAccount(input),
    ],
  });
}

function nameAccount({ accountName }: { accountName: string }): string {
  return `Account: “${accountName}”`;
}
