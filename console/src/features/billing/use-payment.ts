import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { queryClient } from '../../lib/query-client.ts';
import { trpc } from '../../lib/trpc.ts';
import { PAYMENT_STATES } from './payment-states.ts';

const POLL_MS = 1_500;
/** After so many answers it is no matter of moments: anyone who leaves the page open asks less often. */
const QUICK_POLLS = 20;
const SLOW_POLL_MS = 10_000;

/** A payment of the account, asked for again and again until it is settled; then the balance and the lists are read anew. */
export function usePayment(accountId: string, paymentId: string) {
  const query = useQuery(
    trpc.billing.payment.queryOptions(
      { accountId, paymentId },
      {
        staleTime: 0,
        refetchInterval: ({ state }) => {
          if (state.data === undefined || !PAYMENT_STATES[state.data.state].isOpen) return false;
          return state.dataUpdateCount < QUICK_POLLS ? POLL_MS : SLOW_POLL_MS;
        },
      },
    ),
  );
  const state = query.data?.state;
  useEffect(() => {
    if (state === undefined || PAYMENT_STATES[state].isOpen) return;
    for (const procedure of [trpc.billing.get, trpc.billing.entries, trpc.billing.payments]) {
      void queryClient.invalidateQueries(procedure.pathFilter());
    }
  }, [state]);
  return query;
}
