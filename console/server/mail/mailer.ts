import type { Sealer } from '@tollgate/auth/seal';
import type { Clock } from '@tollgate/core/runtime/clock';
import type { Database } from '@tollgate/db/client';
import {
  claimMails,
  findNextMailTime,
  markMailFailed,
  markMailSent,
} from '@tollgate/db/queries/system/outbox';
import type { Logger } from 'pino';
import { openMail } from '@tollgate/mail/queue-mail';
import { describeError } from '../describe-error.ts';
import type { Delivery, Postman } from './smtp.ts';

export interface Mailer {
  /** Looks for emails now: one was queued. */
  kick(): void;
  /** Ends after the emails that are on their way. */
  stop(): Promise<void>;
}

interface MailerOptions {
  db: Database;
  clock: Clock;
  log: Logger;
  sealer: Sealer;
  postman: Postman;
}

const BATCH = 10;
/** Longer than a delivery can take. */
const LEASE_MS = 120_000;
/** After the first failure, the second, …; after the last one the email is given up. */
const RETRY_AFTER_MS = [5_000, 30_000, 120_000, 600_000, 1_800_000, 7_200_000];
/** What an email says is void by then. */
const MAX_AGE_MS = 24 * 3_600_000;
/** How soon an email is found that another process queued and could not send. */
const MAX_IDLE_MS = 30_000;

type ClaimedMail = Awaited<ReturnType<typeof claimMails>>[number];

/** Sends the emails in the outbox; several processes share the work. */
export function startMailer(options: MailerOptions): Mailer {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | null = null;
  let isKicked = false;
  let isStopped = false;

  function wake(): void {
    clearTimeout(timer);
    if (isStopped) return;
    if (running !== null) {
      isKicked = true;
      return;
    }
    running = round().finally(() => {
      running = null;
      if (isKicked) {
        isKicked = false;
        wake();
      }
    });
  }

  async function round(): Promise<void> {
    let waitMs = MAX_IDLE_MS;
    try {
      await sendDue(options, () => isStopped);
      const next = await findNextMailTime(options.db);
      if (next !== null) waitMs = Math.min(waitMs, Math.max(0, next.getTime() - options.clock.nowMs()));
    } catch (error) {
      options.log.error({ error: describeError(error) }, 'the outbox cannot be read');
    }
    // At least a second, so that nothing that goes wrong can become a busy loop.
    if (!isStopped) timer = setTimeout(wake, Math.max(1000, waitMs)).unref();
  }

  wake();
  return {
    kick: wake,
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}

async function sendDue(options: MailerOptions, isStopped: () => boolean): Promise<void> {
  const { db, clock } = options;
  while (!isStopped()) {
    const mails = await claimMails(db, { limit: BATCH, leaseMs: LEASE_MS, nowMs: clock.nowMs() });
    await Promise.all(mails.map((mail) => send(options, mail)));
    if (mails.length < BATCH) return;
  }
}

async function send(options: MailerOptions, mail: ClaimedMail): Promise<void> {
  const { db, clock, log } = options;
  const delivery = await deliver(options, mail);
  const nowMs = clock.nowMs();
  if (delivery.ok) {
    await markMailSent(db, { id: mail.id, nowMs });
    log.info({ mailId: mail.id, attempts: mail.attempts }, 'mail sent');
    return;
  }
  const delayMs = delivery.isPermanent ? undefined : RETRY_AFTER_MS[mail.attempts - 1];
  const retryAtMs = delayMs === undefined ? null : nowMs + delayMs;
  await markMailFailed(db, { id: mail.id, error: delivery.error, retryAtMs });
  const level = retryAtMs === null ? 'error' : 'warn';
  log[level](
    { mailId: mail.id, attempts: mail.attempts, smtpError: delivery.error },
    retryAtMs === null ? 'mail given up' : 'mail not sent yet',
  );
}

async function deliver({ sealer, postman, clock }: MailerOptions, mail: ClaimedMail): Promise<Delivery> {
  if (clock.nowMs() - mail.createdAt.getTime() > MAX_AGE_MS)
    return { ok: false, error: 'Older than a day: what it says is void', isPermanent: true };
  let body;
  try {
    body = openMail(sealer, mail);
  } catch {
    return { ok: false, error: 'Sealed under another ENCRYPTION_KEY', isPermanent: true };
  }
  return postman.deliver({ id: mail.id, recipient: mail.recipient, subject: mail.subject, ...body });
}
