import { arrangeRoutes } from '@tollgate/db/queries/operator/arrange-routes';
import {
  addRoute,
  changeRoute,
  removeRoute,
  setServedNames,
  type AddRouteDenial,
} from '@tollgate/db/queries/catalogue/routes';
import { routeTermsSchema } from '@tollgate/core/models/route-terms';
import { parseMultiplier } from '@tollgate/core/money/multiplier';
import { FULL_PRICE_PPM } from '@tollgate/core/money/money';
import { servedNamesSchema } from '@tollgate/core/models/served-names';
import type { TRPCError } from '@trpc/server';
import { z } from 'zod';
import { deny, notFound } from '../denial.ts';
import { operatorProcedure, router } from '../trpc.ts';
import { readModel, type ModelDetail } from './model-view.ts';

const modelIdSchema = z.string().max(200);
const MAX_ROUTES = 100;
const MAX_PRIORITY = 1_000_000;

export const operatorRoutesRouter = router({
  /** It is added after the existing ones. */
  add: operatorProcedure
    .input(
      z.object({
        modelId: modelIdSchema,
        providerName: z.string().max(64),
        /** null: the provider calls it as we do. */
        upstreamModel: z.string().trim().min(1).max(200).nullable(),
      }),
    )
    .mutation(async ({ ctx, input }): Promise<ModelDetail> => {
      const { routeList } = await readModel(ctx, input.modelId);
      const last = routeList.at(-1)?.priority ?? -1;
      const route = { ...input, priority: Math.min(last + 1, MAX_PRIORITY), weight: 1 };
      const added = await addRoute(ctx.deps.db, route, ctx.session.user.id);
      if (!added.ok) throw denyRoute(added.reason);
      return readModel(ctx, input.modelId);
    }),

  /** Names all routes of the model; those of one priority share by weight. */
  arrange: operatorProcedure
    .input(
      z.object({
        modelId: modelIdSchema,
        places: z
          .array(
            z.object({
              id: z.string().max(64),
              priority: z.int().min(0).max(MAX_PRIORITY),
              weight: z.int().min(1).max(1000),
            }),
          )
          .max(MAX_ROUTES),
      }),
    )
    .mutation(async ({ ctx, input }): Promise<ModelDetail> => {
      const isArranged = await arrangeRoutes(ctx.deps.db, { ...input, actorUserId: ctx.session.user.id });
      if (!isArranged)
        throw deny('BAD_REQUEST', 'The routes have changed. Reload them, then change the order.');
      return readModel(ctx, input.modelId);
    }),

  setServedNames: operatorProcedure
    .input(z.object({ modelId: modelIdSchema, routeId: z.string().max(64), servedNames: servedNamesSchema }))
    .mutation(async ({ ctx, input }): Promise<ModelDetail> => {
      const { modelId, routeId: id, servedNames } = input;
      const isSet = await setServedNames(ctx.deps.db, { id, servedNames, modelId }, ctx.session.user.id);
      if (!isSet) throw notFound('route');
      return readModel(ctx, modelId);
    }),

  setTerms: operatorProcedure
    .input(z.object({ modelId: modelIdSchema, routeId: z.string().max(64), terms: routeTermsSchema }))
    .mutation(async ({ ctx, input }): Promise<ModelDetail> => {
      const { modelId, routeId: id, terms } = input;
      const { contextTokens, costMultiplier } = terms;
      const costPpm = parseMultiplier(costMultiplier) ?? FULL_PRICE_PPM;
      const change = { contextTokens, costPpm };
      if (!(await changeRoute(ctx.deps.db, { id, change, modelId }, ctx.session.user.id)))
        throw notFound('route');
      return readModel(ctx, modelId);
    }),

  remove: operatorProcedure
    .input(z.object({ modelId: modelIdSchema, routeId: z.string().max(64) }))
    .mutation(async ({ ctx, input }): Promise<ModelDetail> => {
      if (!(await removeRoute(ctx.deps.db, input.routeId, ctx.session.user.id))) throw notFound('route');
      return readModel(ctx, input.modelId);
    }),
});

function denyRoute(reason: AddRouteDenial): TRPCError {
  switch (reason) {
    case 'unknown_model':
      return notFound('model');
    case 'unknown_provider':
      return deny('BAD_REQUEST', 'Unknown provider.', { field: 'providerName' });
    case 'route_exists':
      return deny('BAD_REQUEST', 'This route already exists.', { field: 'providerName' });
  }
}
