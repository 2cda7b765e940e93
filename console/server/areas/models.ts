import { formatUsd } from '@tollgate/core/money';
import { listModelsOnOffer } from '@tollgate/db/queries/model-list';
import { memberProcedure, router } from '../trpc.ts';

export interface ModelRow {
  id: string;
  /** The price in force, in USD per million tokens. */
  inputUsdPerMtok: string;
  outputUsdPerMtok: string;
  contextTokens: number | null;
}

export const modelsRouter = router({
  list: memberProcedure('viewer').query(async ({ ctx }): Promise<{ models: ModelRow[] }> => {
    const models = await listModelsOnOffer(ctx.deps.db, ctx.deps.clock.nowMs());
    return {
      models: models.map((model) => ({
        id: model.id,
        inputUsdPerMtok: formatUsd(model.inputNanoUsdPerMtok),
        outputUsdPerMtok: formatUsd(model.outputNanoUsdPerMtok),
        contextTokens: model.contextTokens,
      })),
    };
  }),
});
