import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { queryClient } from '../../lib/query-client.ts';
import { trpc } from '../../lib/trpc.ts';
import { PAYMENT_STATE_LOOKS } from './payment-states.ts';

const POLL_MS = 1_500;
/** After this many polls the interval gets longer. */
const QUICK_POLLS = 20;
const SLOW_POLL_MS = 10_000;

/** Polls a payment until it is settled, then refetches the balance and the lists. */
export function usePayment(accountId: string, paymentId: string) {
  const query = useQuery(
    trpc.billing.payment.queryOptions(
      { accountId, paymentId },
      {
        staleTime: 0,
        refetchInterval: ({ state }) => {
          if (state.data === undefined || !PAYMENT_STATE_LOOKS[state.data.state].isOpen) return false;
          return state.dataUpdateCount < QUICK_POLLS ? POLL_MS : SLOW_POLL_MS;
        },
      },
    ),
  );
  const state = query.data?.state;
  useEffect(() => {
    if (state === undefined || PAYMENT_STATE_LOOKS[state].isOpen) return;
    for (const procedure of [trpc.billing.get, trpc.billing.entries, trpc.billing.payments]) {
      void queryClient.invalidateQueries(procedure.pathFilter());
    }
  }, [state]);
  return query;
}
