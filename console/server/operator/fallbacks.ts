import { FALLBACK_CLASSES, MAX_FALLBACK_MODELS } from '@tollgate/core/models/fallback-model';
import {
  putFallbackModel,
  removeFallbackModel,
  type FallbackDenial,
} from '@tollgate/db/queries/models/fallback-models';
import type { TRPCError } from '@trpc/server';
import { z } from 'zod';
import { deny, notFound } from '../denial.ts';
import { operatorProcedure, router } from '../trpc.ts';
import { readModel, type ModelDetail } from './model-view.ts';

const modelIdSchema = z.string().max(200);

/** The fallback models of models. */
export const operatorFallbacksRouter = router({
  /** Adds one after the others, or changes when it is tried. */
  put: operatorProcedure
    .input(
      z.object({
        modelId: modelIdSchema,
        fallbackId: modelIdSchema,
        classes: z.array(z.enum(FALLBACK_CLASSES)).min(1, 'Choose when the model is tried').max(4),
      }),
    )
    .mutation(async ({ ctx, input }): Promise<ModelDetail> => {
      const put = await putFallbackModel(ctx.deps.db, { ...input, actorUserId: ctx.session.user.id });
      if (!put.ok) throw denyFallback(put.reason);
      return readModel(ctx, input.modelId);
    }),

  remove: operatorProcedure
    .input(z.object({ modelId: modelIdSchema, fallbackId: modelIdSchema }))
    .mutation(async ({ ctx, input }): Promise<ModelDetail> => {
      const removed = await removeFallbackModel(ctx.deps.db, { ...input, actorUserId: ctx.session.user.id });
      if (!removed) throw notFound('fallback model');
      return readModel(ctx, input.modelId);
    }),
});

function denyFallback(reason: FallbackDenial): TRPCError {
  switch (reason) {
    case 'unknown_model':
    case 'unknown_fallback':
      return notFound('model');
    case 'same_model':
      return deny('BAD_REQUEST', 'A model cannot be its own fallback model.', { field: 'fallbackId' });
    case 'too_many':
      return deny('BAD_REQUEST', `A model has at most ${MAX_FALLBACK_MODELS} fallback models.`);
  }
}
