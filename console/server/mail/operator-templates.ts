import { formatUsd } from '@tollgate/core/money/money';
import { layOutMail } from '@tollgate/mail/lay-out-mail';
import type { Mail } from '@tollgate/mail/queue-mail';

export interface MismatchLine {
  /** `gpt-5.4 at openai` */
  name: string;
  requests: number;
  /** What was used: `model gpt-x`. */
  example: string;
}

/** @param input.lines at least one; `more` others are left out of the email */
export function mismatchMail(input: { lines: readonly MismatchLine[]; more: number; link: string }): Mail {
  const lines = input.lines.map(
    ({ name, requests, example }) =>
      `${name}: ${requests} ${requests === 1 ? 'response' : 'responses'} in the last hour, such as ${example}.`,
  );
  return layOutMail({
    subject: 'Some responses could not be priced',
    paragraphs: [
      'A provider used a model or a tier that has no price here. These requests were charged the full amount that was on hold for them.',
      ...lines,
      ...(input.more > 0 ? [`… and ${input.more} more routes.`] : []),
    ],
    action: { label: 'Open models', link: input.link },
    closing: [
      'If it is the same model under another name, add the name to the served names of the route.',
      'Otherwise add a price for what was used, or correct the upstream model of the route.',
    ],
  });
}

export interface DriftLine {
  /** `gpt-5.4 at openrouter` */
  name: string;
  requests: number;
  reportedNanoUsd: bigint;
  /** Before the multiplier of plans. */
  billedNanoUsd: bigint;
  /** Reported beyond billed, in millionths; below 0: less. */
  driftPpm: number;
}

/** @param input.lines at least one; `more` others are left out of the email */
export function driftMail(input: { lines: readonly DriftLine[]; more: number; link: string }): Mail {
  const lines = input.lines.map(({ name, requests, reportedNanoUsd, billedNanoUsd, driftPpm }) => {
    const percent = (Math.abs(driftPpm) / 10_000).toFixed(1);
    const direction = driftPpm < 0 ? 'below' : 'above';
    return `${name}: the provider reported $${formatUsd(reportedNanoUsd)} for ${requests} requests, ${percent}% ${direction} the $${formatUsd(billedNanoUsd)} billed at cost.`;
  });
  return layOutMail({
    subject: 'Provider costs differ from billed costs',
    paragraphs: [
      'In the last 24 hours, costs that providers reported differ from billed costs by more than 1% (before plan multipliers).',
      ...lines,
      ...(input.more > 0 ? [`… and ${input.more} more.`] : []),
    ],
    action: { label: 'Open provider costs', link: input.link },
    closing: ['Compare the rates of these models with the rates of the provider.'],
  });
}

export interface SetAsideLine {
  /** `openai (second)` */
  name: string;
  cause: 'refused' | 'no_credit';
  /** What the provider said, redacted; null: nothing certain. */
  message: string | null;
}

/** @param input.lines at least one; `more` others are left out of the email */
export function setAsideMail(input: { lines: readonly SetAsideLine[]; more: number; link: string }): Mail {
  const lines = input.lines.map(({ name, cause, message }) => {
    const what = cause === 'no_credit' ? 'the account has no credit' : 'the provider refused it';
    return `${name}: ${what}${message === null ? '.' : `. The provider says: ${message}`}`;
  });
  return layOutMail({
    subject: 'Provider credentials were set aside',
    paragraphs: [
      'Requests use the other credentials of the provider. If none is left, they fail.',
      ...lines,
      ...(input.more > 0 ? [`… and ${input.more} more.`] : []),
    ],
    action: { label: 'Open providers', link: input.link },
    closing: ['Replace the credential or top up the account at the provider, then restore the credential.'],
  });
}
