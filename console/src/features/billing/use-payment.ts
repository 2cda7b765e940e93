import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { queryClient } from '../../lib/query-client.ts';
import { trpc } from '../../lib/trpc.ts';
import { PAYMENT_STATES } from './payment-states.ts';

const POLL_MS = 1_500;
/** After so many answers it is no matter of moments: whoever leaves the page open asks less often. */
const QUICK_POLLS = 20;
const SLOW_POLL_MS = 10_000;
/** Somebody who comes back from paying looks for one of the latest. */
const LATEST = 100;

/**
 * One of the account's latest payments, asked for again and again until it is settled; then the balance and the
 * lists are read anew. `payment` is null where it is none of them.
 */
export function usePayment(accountId: string, paymentId: string) {
  const query = useQuery(
    trpc.billing.payments.queryOptions(
      { accountId, limit: LATEST },
      {
        staleTime: 0,
        select: ({ payments }) => payments.find(({ id }) => id === paymentId) ?? null,
        refetchInterval: ({ state }) => {
          const found = state.data?.payments.find(({ id }) => id === paymentId);
          if (found === undefined || !PAYMENT_STATES[found.state].isOpen) return false;
          return state.dataUpdateCount < QUICK_POLLS ? POLL_MS : SLOW_POLL_MS;
        },
      },
    ),
  );
  const state = query.data?.state;
  useEffect(() => {
    if (state === undefined || PAYMENT_STATES[state].isOpen) return;
    for (const procedure of [trpc.billing.get, trpc.billing.entries]) {
      void queryClient.invalidateQueries(procedure.pathFilter());
    }
    void queryClient.invalidateQueries(trpc.billing.payments.infiniteQueryFilter());
  }, [state]);
  return query;
}
