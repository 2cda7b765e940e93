import {
  listInstallationAudit,
  listOperators,
  type InstallationAudit,
} from '@tollgate/db/queries/audit/list-installation-audit';
import { z } from 'zod';
import { operatorProcedure, router } from '../../trpc.ts';
import { installationAuditFilterSchema } from './audit-filter.ts';

/** As {@link InstallationAudit}, with its time in ISO 8601. */
export interface InstallationAuditRow extends Omit<InstallationAudit, 'at'> {
  at: string;
}

const PAGE_SIZE = 50;

export const operatorAuditRouter = router({
  list: operatorProcedure
    .input(installationAuditFilterSchema.extend({ cursor: z.string().max(64).nullish() }))
    .query(
      async ({ ctx, input }): Promise<{ entries: InstallationAuditRow[]; nextCursor: string | null }> => {
        const { cursor, ...filter } = input;
        const page = await listInstallationAudit(ctx.deps.db, {
          ...filter,
          cursor: cursor ?? undefined,
          limit: PAGE_SIZE,
        });
        return {
          entries: page.entries.map((entry) => ({ ...entry, at: entry.at.toISOString() })),
          nextCursor: page.nextCursor,
        };
      },
    ),

  /** For the filter by person. */
  operators: operatorProcedure.query(async ({ ctx }): Promise<{ id: string; email: string }[]> =>
    listOperators(ctx.deps.db),
  ),
});
