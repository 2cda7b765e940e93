import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { errorCode, errorReason, isUnreachable } from './api-error.ts';
import { setReachable } from './connection.ts';

const MAX_RETRIES = 2;

let onSignedOut: () => void = () => undefined;

/** Called when the server reports that there is no session (any more). */
export function setSignedOutHandler(handler: () => void): void {
  onSignedOut = handler;
}

let onRightsChanged: () => void = () => undefined;

/** Says what happens when the server answers that the person may not do what a page offered. */
export function setRightsChangedHandler(handler: () => void): void {
  onRightsChanged = handler;
}

/** Refusals which say that the session as the page knows it is out of date. */
const RIGHTS_REASONS: ReadonlySet<string> = new Set(['membership', 'role', 'two_factor_required']);

/** Updates connection and session state after a failed request. */
export function noticeError(error: unknown): void {
  if (isUnreachable(error)) setReachable(false);
  else setReachable(true);
  if (errorCode(error) === 'UNAUTHORIZED') onSignedOut();
  const reason = errorReason(error);
  if (reason !== null && RIGHTS_REASONS.has(reason)) onRightsChanged();
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noticeError, onSuccess: () => setReachable(true) }),
  mutationCache: new MutationCache({ onError: noticeError, onSuccess: () => setReachable(true) }),
  defaultOptions: {
    queries: {
      // The server is often on this very machine, which the browser's idea of "online" knows nothing about.
      networkMode: 'always',
      staleTime: 10_000,
      retry: (failures, error) => isUnreachable(error) && failures < MAX_RETRIES,
      retryDelay: (failures) => 300 * 2 ** failures,
    },
    mutations: { networkMode: 'always' },
  },
});
