import type { LiveChange } from './live.ts';
import { notFound } from '../denial.ts';
import { memberProcedure, router } from '../trpc.ts';

export const liveRouter = router({
  /** Kinds of changes in an account while a page shows it: the page rereads what it shows. */
  changes: memberProcedure('viewer').subscription(async function* changes({
    ctx,
    signal,
  }): AsyncGenerator<LiveChange> {
    const { account, session, deps } = ctx;
    yield* deps.live.watch({ accountId: account.id, userId: session.user.id, signal });
    if (signal?.aborted !== true) throw notFound('account');
  }),
});
