import { searchTextSchema } from '@tollgate/core/search/search-text';
import { searchInstallation } from '@tollgate/db/queries/search/search-installation';
import { z } from 'zod';
import type { SearchResult } from '../search/router.ts';
import { operatorProcedure, router } from '../trpc.ts';

export const operatorSearchRouter = router({
  /** Searches all accounts, the models and the providers, and records it in the audit log. */
  find: operatorProcedure
    .input(z.object({ text: searchTextSchema }))
    .query(async ({ ctx, input }): Promise<SearchResult> => {
      const search = { text: input.text, actorUserId: ctx.session.user.id };
      return { hits: await searchInstallation(ctx.deps.db, search) };
    }),
});
