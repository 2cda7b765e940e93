import { openBody, type BodyPlace } from '@tollgate/auth/seal-body';
import { findBodies } from '@tollgate/db/queries/bodies/find-bodies';
import type { SealedBody } from '@tollgate/db/queries/bodies/insert-bodies';
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
  /** null: nothing of it is stored. */
  kept: {
    request: BodyView;
    /** null: the caller was given nothing. */
    answer: BodyView | null;
  } | null;
}

/** Opens what is stored of a request. @throws NOT_FOUND where the account has no such request */
export async function readBodies(
  { db, clock, sealer, log }: Deps,
  asked: { accountId: string; requestId: string },
): Promise<BodiesView> {
  const found = await findBodies(db, { ...asked, now: new Date(clock.nowMs()) });
  if (found === null) {
    if ((await findRequest(db, asked)) === null) throw notFound('request');
    return { kept: null };
  }
  const open = async ({ sealed, ...rest }: SealedBody, side: BodyPlace['side']): Promise<BodyView> => ({
    text: await openBody(sealer, sealed, { ...asked, side }),
    ...rest,
  });
  const { request, answer } = found;
  try {
    return {
      kept: {
        request: await open(request, 'request'),
        answer: answer === null ? null : await open(answer, 'answer'),
      },
    };
  } catch (error) {
    log.error({ error: describeError(error), requestId: asked.requestId }, 'a stored body cannot be opened');
    throw deny(
      'FORBIDDEN',
      'This cannot be opened: it was sealed with another ENCRYPTION_KEY than the one in use. Tell whoever runs the installation.',
    );
  }
}
