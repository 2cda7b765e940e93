import { modelPatternSchema } from '@tollgate/core/models/model-pattern';
import {
  addRoutePattern,
  listRoutePatterns,
  removeRoutePattern,
  type AddPatternDenial,
  type RoutePattern,
} from '@tollgate/db/queries/catalogue/route-patterns';
import { listPatternOffers } from '@tollgate/upstreams/catalogue/model-catalogue';
import type { TRPCError } from '@trpc/server';
import { z } from 'zod';
import { deny, notFound } from '../denial.ts';
import { operatorProcedure, router } from '../trpc.ts';

export interface PatternRow {
  id: string;
  pattern: string;
  providerName: string;
  /** The beginning that the provider's names lack; empty: they are the same. */
  strip: string;
  priority: number;
  weight: number;
  /** Models that it has added. */
  modelCount: number;
}

const addSchema = z
  .object({
    providerName: z.string().min(1, 'Choose a provider').max(64),
    pattern: modelPatternSchema,
    strip: z.string().max(200),
    priority: z.int().min(-1_000).max(1_000),
    weight: z.int().min(1).max(1_000_000),
  })
  .refine(({ pattern, strip }) => pattern.slice(0, -1).startsWith(strip), {
    path: ['strip'],
    message: 'Must be the beginning of the pattern',
  });

/** Patterns that route all matching models of the catalogue to a provider. */
export const operatorPatternsRouter = router({
  list: operatorProcedure.query(async ({ ctx }): Promise<{ patterns: PatternRow[] }> => ({
    patterns: (await listRoutePatterns(ctx.deps.db)).map(toRow),
  })),

  add: operatorProcedure
    .input(addSchema)
    .mutation(async ({ ctx, input }): Promise<{ pattern: PatternRow; added: number }> => {
      const { db, clock } = ctx.deps;
      const offers = listPatternOffers(clock.nowMs());
      const added = await addRoutePattern(db, input, { offers, actorUserId: ctx.session.user.id });
      if (!added.ok) throw denyPattern(added.reason, input.providerName);
      return { pattern: toRow(added.pattern), added: added.synced.added.length };
    }),

  /** Removes its routes too, and the models that no other route leads to. */
  remove: operatorProcedure
    .input(z.object({ patternId: z.string().max(64) }))
    .mutation(async ({ ctx, input }): Promise<{ removed: number }> => {
      const { db, clock } = ctx.deps;
      const offers = listPatternOffers(clock.nowMs());
      const actorUserId = ctx.session.user.id;
      const synced = await removeRoutePattern(db, input.patternId, { offers, actorUserId });
      if (synced === null) throw notFound('pattern');
      return { removed: synced.removed.length };
    }),
});

function toRow(stored: RoutePattern): PatternRow {
  const { id, pattern, providerName, strip, priority, weight, knownModels } = stored;
  return { id, pattern, providerName, strip, priority, weight, modelCount: knownModels.length };
}

function denyPattern(reason: AddPatternDenial, providerName: string): TRPCError {
  switch (reason) {
    case 'unknown_provider':
      return notFound('provider');
    case 'no_preset':
      return deny(
        'BAD_REQUEST',
        `${providerName} has no preset, so the catalogue has no prices. Add its models one by one.`,
        { field: 'providerName' },
      );
    case 'pattern_exists':
      return deny('BAD_REQUEST', `${providerName} already has this pattern.`, { field: 'pattern' });
    case 'too_many':
      return deny('BAD_REQUEST', 'An installation has at most 100 patterns.');
  }
}
