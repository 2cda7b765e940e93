import { mintLinkToken } from '@tollgate/auth/one-time-code';
import { isLoopbackName } from '@tollgate/core/providers/origins';
import type { CliEnv } from '../env.ts';
import type { Addresses } from './addresses.ts';

/** The secret for the mailbox and test payments, shared with the services and shown in the terminal. */
export interface LocalTools {
  token: string;
  link: string;
  /** False: emails are sent, so only test payments are available. */
  hasMailbox: boolean;
}

/** @returns null if emails are sent and payments are real, or if the installation is not local */
export function makeLocalTools(env: CliEnv, addresses: Addresses): LocalTools | null {
  const isLocal = isLoopbackName(new URL(addresses.publicConsoleUrl).hostname);
  const hasMailbox = env.SMTP_URL === undefined;
  if (env.DATABASE_URL !== undefined || !isLocal || (!hasMailbox && env.STRIPE_SECRET_KEY !== undefined))
    return null;
  const { token } = mintLinkToken();
  return { token, link: `${addresses.publicConsoleUrl}/dev/open?token=${token}`, hasMailbox };
}
