import { listModels } from '@tollgate/db/queries/models/models';
import { PRICE_ORDER, type PriceField } from '@tollgate/core/money/price-fields';
import type { Command } from 'commander';
import { z } from 'zod';
import { addCommand } from '../../command.ts';
import { withInstallation } from '../../installation.ts';
import { usd, whole } from '../../output/format.ts';
import { formatTable } from '../../output/table.ts';
import { modelJson } from './model-view.ts';

/** The column of each price; `absent` is shown for a model without that price. */
const PRICE_COLUMNS: Record<PriceField, { title: string; absent: string }> = {
  inputNanoUsdPerMtok: { title: 'INPUT/MTOK', absent: 'none' },
  outputNanoUsdPerMtok: { title: 'OUTPUT/MTOK', absent: 'none' },
  cacheReadNanoUsdPerMtok: { title: 'CACHE READ', absent: 'as input' },
  cacheWriteNanoUsdPerMtok: { title: 'CACHE WRITE', absent: 'as input' },
  cacheWrite1hNanoUsdPerMtok: { title: '1H WRITE', absent: 'as write' },
};

const COLUMNS = [
  { title: 'ID' },
  ...Object.values(PRICE_COLUMNS).map(({ title }) => ({ title, align: 'right' as const })),
  { title: 'CONTEXT', align: 'right' },
  { title: 'MAX OUTPUT', align: 'right' },
  { title: 'ROUTES', align: 'right' },
  { title: 'FALLBACK MODELS' },
] as const;

export function addModelList(model: Command): void {
  addCommand(model, {
    usage: 'list',
    summary: 'List models with their prices per million tokens',
    input: z.object({}),
    examples: ['tollgate model list'],
    run: async (_, { env, clock }) => {
      const models = await withInstallation(env, ({ db }) => listModels(db, new Date(clock.nowMs())));
      const rows = models.map(({ prices, ...each }) => [
        each.id,
        ...PRICE_ORDER.map((field) => {
          const price = prices?.[field] ?? null;
          return price === null ? PRICE_COLUMNS[field].absent : usd(price);
        }),
        each.contextTokens === null ? '-' : whole(each.contextTokens),
        each.maxOutputTokens === null ? '-' : whole(each.maxOutputTokens),
        String(each.routes),
        each.fallbacks.map(({ modelId }) => modelId).join(', ') || '-',
      ]);
      return {
        json: { models: models.map(modelJson) },
        text:
          rows.length > 0
            ? formatTable(COLUMNS, rows)
            : 'No models yet. To add one, see `tollgate model add --help`.',
      };
    },
  });
}
