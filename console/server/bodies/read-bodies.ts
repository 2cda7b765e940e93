import { openBody, type BodyPlace } from '@tollgate/auth/seal-body';
import { recordAudit } from '@tollgate/db/queries/audit/audit';
import { findBodies } from '@tollgate/db/queries/bodies/find-bodies';
import type { SealedBodies, SealedBody } from '@tollgate/db/queries/bodies/insert-bodies';
import { findRequest } from '@tollgate/db/queries/requests/find-request';
import { deny, notFound } from '../denial.ts';
import type { Deps } from '../deps.ts';
import { describeError } from '../describe-error.ts';

export interface BodyView {
  text: string;
  /** Of the whole; where `isTruncated`, the text is only its beginning. */
  bytes: number;
  isTruncated: boolean;
}

export interface BodiesView {
  /** null: nothing is stored. */
  kept: {
    request: BodyView;
    /** null: the caller was given nothing. */
    answer: BodyView | null;
  } | null;
}

interface AskedBodies {
  accountId: string;
  requestId: string;
  /** Who reads. */
  userId: string;
}

/**
 * Decrypts the logged payload of a request; every read writes an entry in the audit log.
 * @throws NOT_FOUND if the account has no such request
 */
export async function readBodies(deps: Deps, { userId, ...asked }: AskedBodies): Promise<BodiesView> {
  const { db, clock } = deps;
  const found = await findBodies(db, { ...asked, now: new Date(clock.nowMs()) });
  if (found === null) {
    if ((await findRequest(db, asked)) === null) throw notFound('request');
    return { kept: null };
  }
  const kept = await openBodies(deps, found);
  await recordAudit(db, {
    actorUserId: userId,
    accountId: asked.accountId,
    action: 'request.read_bodies',
    subject: asked.requestId,
  });
  return { kept };
}

async function openBodies(
  { sealer, log }: Deps,
  { accountId, requestId, request, answer }: SealedBodies,
): Promise<BodiesView['kept']> {
  const open = async ({ sealed, ...rest }: SealedBody, side: BodyPlace['side']): Promise<BodyView> => ({
    text: await openBody(sealer, sealed, { accountId, requestId, side }),
    ...rest,
  });
  try {
    return {
      request: await open(request, 'request'),
      answer: answer === null ? null : await open(answer, 'answer'),
    };
  } catch (error) {
    log.error({ error: describeError(error), requestId }, 'a stored body cannot be opened');
    throw deny('FORBIDDEN', 'This content was encrypted with another ENCRYPTION_KEY. Contact the operator.');
  }
}
