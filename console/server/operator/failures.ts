import { findLastDays } from '@tollgate/core/requests/last-days';
import { findRangeStart } from '@tollgate/core/requests/request-filter';
import { listProviderFailures } from '@tollgate/db/queries/requests/list-failures';
import { listProviderNames } from '@tollgate/db/queries/usage/providers/overview';
import { z } from 'zod';
import { toFailureList, type FailureListView } from '../requests/failure-views.ts';
import { operatorProcedure, router } from '../trpc.ts';

/** How long a removed provider stays in the filter. */
const PAST_PROVIDER_DAYS = 90;

/** Failed attempts at providers, over all accounts. */
export const operatorFailuresRouter = router({
  /** Names for the filter: all providers, and removed ones that had requests lately. */
  providers: operatorProcedure.query(async ({ ctx: { deps, timeZone } }): Promise<string[]> => {
    const days = { days: PAST_PROVIDER_DAYS, timeZone, nowMs: deps.clock.nowMs() };
    return listProviderNames(deps.db, new Date(findLastDays(days).fromMs));
  }),

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
