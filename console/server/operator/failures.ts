import { listProviderFailures } from '@tollgate/db/queries/requests/list-failures';
import { z } from 'zod';
import { toFailureList, type FailureListView } from '../requests/failure-views.ts';
import { operatorProcedure, router } from '../trpc.ts';

const HOUR_MS = 3_600_000;
const PERIOD_MS = { '1h': HOUR_MS, '24h': 24 * HOUR_MS, '7d': 7 * 24 * HOUR_MS } as const;

/** Failed attempts at providers, over all accounts. */
export const operatorFailuresRouter = router({
  list: operatorProcedure
    .input(
      z.object({
        period: z.enum(['1h', '24h', '7d']),
        provider: z.string().min(1).max(200).optional(),
        model: z.string().min(1).max(200).optional(),
      }),
    )
    .query(async ({ ctx, input }): Promise<FailureListView> => {
      const { db, clock } = ctx.deps;
      const { period, provider = null, model = null } = input;
      const since = new Date(clock.nowMs() - PERIOD_MS[period]);
      return toFailureList(await listProviderFailures(db, { since, provider, model }), true);
    }),
});
