import { findRangeStart } from '@tollgate/core/requests/request-filter';
import { listProviderFailures } from '@tollgate/db/queries/requests/list-failures';
import { z } from 'zod';
import { toFailureList, type FailureListView } from '../requests/failure-views.ts';
import { operatorProcedure, router } from '../trpc.ts';

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
      const { deps, timeZone } = ctx;
      const { period, provider = null, model = null } = input;
      const since = new Date(findRangeStart(period, { timeZone, nowMs: deps.clock.nowMs() }));
      return toFailureList(await listProviderFailures(deps.db, { since, provider, model }), true);
    }),
});
