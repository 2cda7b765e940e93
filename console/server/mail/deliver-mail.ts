import { markMailFailed, markMailSent, startAttempt } from '@tollgate/db/queries/system/outbox';
import { openMail } from '@tollgate/mail/queue-mail';
import { defineQueuedJob, type JobDeps } from '../jobs/job-kind.ts';
import type { Delivery, Postman } from './smtp.ts';

/** With 5 s at first, doubled up to 2 h, these last for 3 to 6 hours. */
const MAX_ATTEMPTS = 12;
/** Codes and links in an email have expired by then. */
const MAX_AGE_MS = 24 * 3_600_000;

/** Sends one email of the outbox, and records the result there for the operator. */
export const deliverMailJob = defineQueuedJob({
  name: 'deliver-mail',
  backoff: { firstSeconds: 5, maxSeconds: 7200 },
  // Longer than a delivery can take.
  timeoutSeconds: 120,
  pollSeconds: 15,
  concurrency: 10,
  canRun: ({ postman }) => postman !== null,
  run: async (deps, { mailId }) => {
    if (deps.postman !== null) await deliverMail(deps, deps.postman, mailId);
  },
});

type StartedMail = NonNullable<Awaited<ReturnType<typeof startAttempt>>>;

/** Does nothing if the email was sent, has failed or was deleted. */
async function deliverMail(deps: JobDeps, postman: Postman, mailId: string): Promise<void> {
  const { db, clock, log } = deps;
  const mail = await startAttempt(db, mailId);
  if (mail === null) return;
  const { attempts } = mail;
  const delivery = await deliver(deps, postman, mail);
  if (delivery.ok) {
    await markMailSent(db, { id: mailId, nowMs: clock.nowMs() });
    log.info({ mailId, attempts }, 'email sent');
    return;
  }
  const isFinal = delivery.isPermanent || attempts >= MAX_ATTEMPTS;
  await markMailFailed(db, { id: mailId, error: delivery.error, isFinal });
  const facts = { mailId, attempts, smtpError: delivery.error };
  if (isFinal) log.error(facts, 'email failed permanently');
  else throw new Error(`The email was not sent yet: ${delivery.error}`);
}

async function deliver({ sealer, clock }: JobDeps, postman: Postman, mail: StartedMail): Promise<Delivery> {
  if (clock.nowMs() - mail.createdAt.getTime() > MAX_AGE_MS)
    return { ok: false, error: 'Older than a day: its codes and links have expired', isPermanent: true };
  let body;
  try {
    body = openMail(sealer, mail);
  } catch {
    return { ok: false, error: 'Encrypted with another ENCRYPTION_KEY', isPermanent: true };
  }
  return postman.deliver({ id: mail.id, recipient: mail.recipient, subject: mail.subject, ...body });
}
