import type { Sealer } from '@tollgate/auth/seal';
import { createMailId, enqueueMail } from '@tollgate/db/queries/system/outbox';
import type { Connection } from '@tollgate/db/transaction';
import { z } from 'zod';

export interface MailBody {
  text: string;
  html: string;
}

export interface Mail extends MailBody {
  subject: string;
}

const bodySchema = z.object({ text: z.string(), html: z.string() });

/** Queues an email, its body sealed: it carries codes and links. In the transaction of the change that it announces. */
export async function queueMail(
  tx: Connection,
  sealer: Sealer,
  letter: { recipient: string; mail: Mail },
): Promise<void> {
  const id = createMailId();
  const { subject, text, html } = letter.mail;
  const bodySealed = sealer.seal(JSON.stringify({ text, html }), getContext(id));
  await enqueueMail(tx, { id, recipient: letter.recipient, subject, bodySealed });
}

/** @throws Error if the body was sealed under another key */
export function openMail(sealer: Sealer, mail: { id: string; bodySealed: Buffer }): MailBody {
  return bodySchema.parse(JSON.parse(sealer.open(mail.bodySealed, getContext(mail.id))));
}

function getContext(mailId: string): string {
  return `mail:${mailId}`;
}
