import { useSubscription } from '@trpc/tanstack-react-query';
import { useState } from 'react';
import { errorCode } from '../../lib/api-error.ts';
import { useCurrentAccount } from '../../lib/current-account.ts';
import { noticeError, queryClient } from '../../lib/query-client.ts';
import { sessionQuery, useSession } from '../../lib/session.ts';
import { trpc, type LiveChange } from '../../lib/trpc.ts';
import { usePageVisible } from '../../lib/use-page-visible.ts';

/**
 * Hears what changes in the account and has the pages read it again. Only while the tab is in sight: browsers keep no
 * more than six connections open to a server over HTTP/1.1, over all tabs.
 */
export function LiveChanges() {
  // While someone signs out, or belongs to no account, there is nothing to hear.
  return useSession().accounts.length === 0 ? null : <ChangesOfCurrent />;
}

function ChangesOfCurrent() {
  const { id } = useCurrentAccount();
  return <ChangesOf key={id} accountId={id} />;
}

function ChangesOf({ accountId }: { accountId: string }) {
  const isVisible = usePageVisible();
  const [hear] = useState(createListener);
  useSubscription(
    trpc.live.changes.subscriptionOptions(
      { accountId },
      { enabled: isVisible, onData: hear, onError: noticeEnd },
    ),
  );
  return null;
}

/** What is shown when the page opens has just been read; later, it may have changed while nothing was heard. */
function createListener(): (change: LiveChange) => void {
  let hasListened = false;
  return (change) => {
    if (change !== 'listening' || hasListened) refresh(change);
    hasListened = true;
  };
}

function refresh(change: LiveChange): void {
  for (const read of READ_AGAIN[change]) void read();
}

/** The stream was refused: the session is over, or the person belongs to the account no more. */
function noticeEnd(error: unknown): void {
  const code = errorCode(error);
  if (code === 'UNAUTHORIZED') noticeError(error);
  if (code === 'NOT_FOUND') void queryClient.invalidateQueries(sessionQuery);
}

const all = () => queryClient.invalidateQueries();
const keys = () => queryClient.invalidateQueries(trpc.keys.pathFilter());

/** What is read again for each kind of change. */
const READ_AGAIN: Record<LiveChange, readonly (() => Promise<void>)[]> = {
  listening: [all],
  everything: [all],
  keys: [keys],
  account: [
    () => queryClient.invalidateQueries(sessionQuery),
    () => queryClient.invalidateQueries(trpc.billing.pathFilter()),
    () => queryClient.invalidateQueries(trpc.team.pathFilter()),
  ],
  catalogue: [() => queryClient.invalidateQueries(trpc.models.pathFilter())],
};
