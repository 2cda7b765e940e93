import { createTransport } from 'nodemailer';
import type { Mail } from '@tollgate/mail/queue-mail';
import { findNumber, findText } from '../error-fields.ts';

export type Delivery = { ok: true } | { ok: false; error: string; isPermanent: boolean };

/** Sends an email to a server. @returns whether the server accepted it */
export interface Postman {
  deliver(mail: Mail & { id: string; recipient: string }): Promise<Delivery>;
}

const CONNECT_TIMEOUT_MS = 10_000;
/** Less than the lease of an email, so that no two processes send it. */
const SOCKET_TIMEOUT_MS = 30_000;

/** @param options.smtpUrl `smtp://` (STARTTLS if the server offers it) or `smtps://` */
export function createSmtpPostman(options: { smtpUrl: string; from: string }): Postman {
  const transport = createTransport({
    url: options.smtpUrl,
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SOCKET_TIMEOUT_MS,
    // Emails consist only of text: nothing in them may make the library read a file or fetch a URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const domain = /@([^>\s]+)/.exec(options.from)?.[1] ?? 'localhost';
  return {
    async deliver({ id, recipient, subject, text, html }) {
      try {
        await transport.sendMail({
          from: options.from,
          // As an object: an address in a list or with a comment could name a second one.
          to: { name: '', address: recipient },
          subject,
          text,
          html,
          // The same for each attempt, so that mailboxes can detect duplicates.
          messageId: `<${id}@${domain}>`,
          headers: { 'Auto-Submitted': 'auto-generated' },
        });
        return { ok: true };
      } catch (error) {
        return describeFailure(error);
      }
    },
  };
}

function describeFailure(error: unknown): Delivery {
  const status = findNumber(error, 'responseCode');
  const code = findText(error, 'code') ?? 'unknown';
  // 5xx about the email itself will not change; about our credentials (EAUTH) it will, once they are put right.
  const isPermanent = status !== null && status >= 500 && code !== 'EAUTH';
  const response = findText(error, 'response');
  return { ok: false, error: response === null ? code : `${code}: ${redact(response)}`, isPermanent };
}

/** Servers quote rejected text: a link or a code must not reach the database or the log. */
function redact(response: string): string {
  return response
    .replaceAll(/https?:\S+/gi, '[link]')
    .replaceAll(/[\w-]{43}/g, '[token]')
    .replaceAll(/\b\d{6}\b/g, '[code]')
    .slice(0, 300);
}
