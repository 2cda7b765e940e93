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
    subject: 'Responses do not match their price',
    paragraphs: [
      'A provider used a model or a tier that has no price here. These requests were charged at the maximum that was held for them.',
      ...lines,
      ...(input.more > 0 ? [`… and ${input.more} more routes.`] : []),
    ],
    action: { label: 'Open models', link: input.link },
    closing: ['Add a price for what was used, or correct the upstream model of the route.'],
  });
}
