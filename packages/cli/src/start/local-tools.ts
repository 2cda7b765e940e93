import { mintLinkToken } from '@tollgate/auth/one-time-code';
import { isLoopbackName } from '@tollgate/core/providers/origins';
import type { CliEnv } from '../env.ts';
import type { Addresses } from './addresses.ts';

/** The secret that opens the mailbox and the test payments, for the services and for the person at the terminal. */
export interface LocalTools {
  token: string;
  link: string;
  /** False: all e-mails are sent, and only test payments are left. */
  hasMailbox: boolean;
}

/** @returns null if e-mails are sent and payments are real: there is nothing to open */
export function makeLocalTools(env: CliEnv, addresses: Addresses): LocalTools | null {
  const isLocal = isLoopbackName(new URL(addresses.publicConsoleUrl).hostname);
  const hasMailbox = env.SMTP_URL === undefined;
  if (env.DATABASE_URL !== undefined || !isLocal || (!hasMailbox && env.STRIPE_SECRET_KEY !== undefined))
    return null;
  const { token } = mintLinkToken();
  return { token, link: `${addresses.publicConsoleUrl}/dev/open?token=${token}`, hasMailbox };
}
