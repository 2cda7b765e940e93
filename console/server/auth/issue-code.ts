import { mintCode, mintLinkToken } from '@tollgate/auth/one-time-code';
import { createId } from '@tollgate/core/runtime/ids';
import { insertCode, type CodePurpose } from '@tollgate/db/queries/users/codes';
import type { Connection } from '@tollgate/db/transaction';
import type { Deps } from '../deps.ts';

const HOUR_MS = 3_600_000;

/** How long the link of an email works. */
const LINK_LIFE_MS: Record<CodePurpose, number> = {
  verify_email: 24 * HOUR_MS,
  change_email: 24 * HOUR_MS,
  reset_password: HOUR_MS,
  link_identity: HOUR_MS,
  confirm_identity: HOUR_MS,
};

/** Creates a code and a link token and stores their hashes; the returned values go only into an email. */
export async function issueCode(
  tx: Connection,
  deps: Deps,
  request: {
    purpose: CodePurpose;
    userId: string;
    email: string;
    /** The browser that may enter the code; null: there is only the link. */
    browser: Buffer | null;
  },
): Promise<{ code: string; token: string }> {
  const id = createId('code');
  const code = mintCode();
  const { token, hash: tokenHash } = mintLinkToken();
  const nowMs = deps.clock.nowMs();
  await insertCode(tx, {
    ...request,
    id,
    codeHash: request.browser === null ? null : deps.hashCode(id, code),
    tokenHash,
    createdAt: new Date(nowMs),
    expiresAt: new Date(nowMs + LINK_LIFE_MS[request.purpose]),
  });
  return { code, token };
}
