import { searchTextSchema } from '@tollgate/core/search/search-text';
import { searchAccount } from '@tollgate/db/queries/search/search-account';
import type { SearchHit } from '@tollgate/db/queries/search/search-hit';
import { z } from 'zod';
import { memberProcedure, router } from '../trpc.ts';

export interface SearchResult {
  hits: SearchHit[];
}

export const searchRouter = router({
  /** Requests, keys, payments and members of the account. */
  find: memberProcedure('viewer')
    .input(z.object({ text: searchTextSchema }))
    .query(async ({ ctx, input }): Promise<SearchResult> => {
      const search = { accountId: ctx.account.id, text: input.text };
      return { hits: await searchAccount(ctx.deps.db, search) };
    }),
});
