import { mintLinkToken } from '@tollgate/auth/one-time-code';
import type { Clock } from '@tollgate/core/runtime/clock';
import type { Connection } from '@tollgate/db/transaction';
import { createOperatorInvite } from '@tollgate/db/queries/users/operator-invite';
import { linkTo } from '../auth/links.ts';

const LIFE_MS = 24 * 3_600_000;

/**
 * The link that makes a user who signs up with it the operator of a new installation; valid once, for a day.
 * @returns null if there is an operator already
 */
export async function createOperatorLink(
  db: Connection,
  options: { clock: Clock; publicConsoleUrl: string },
): Promise<string | null> {
  const { token, hash: tokenHash } = mintLinkToken();
  const expiresAt = new Date(options.clock.nowMs() + LIFE_MS);
  if (!(await createOperatorInvite(db, { tokenHash, expiresAt }))) return null;
  return linkTo(options, 'operatorSignUp', token);
}
