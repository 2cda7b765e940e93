import { listModels } from '@tollgate/db/queries/models/models';
import type { Command } from 'commander';
import { z } from 'zod';
import { addCommand } from '../../command.ts';
import { withInstallation } from '../../installation.ts';
import { usd, whole } from '../../output/format.ts';
import { formatTable } from '../../output/table.ts';
import { modelJson } from './model-view.ts';

const COLUMNS = [
  { title: 'ID' },
  { title: 'INPUT/MTOK', align: 'right' },
  { title: 'OUTPUT/MTOK', align: 'right' },
  { title: 'CACHE READ', align: 'right' },
  { title: 'CACHE WRITE', align: 'right' },
  { title: '1H WRITE', align: 'right' },
  { title: 'CONTEXT', align: 'right' },
  { title: 'MAX OUTPUT', align: 'right' },
  { title: 'ROUTES', align: 'right' },
] as const;

export function addModelList(model: Command): void {
  addCommand(model, {
    usage: 'list',
    summary: 'List models with their prices per million tokens',
    input: z.object({}),
    examples: ['tollgate model list'],
    run: async (_, { env, clock }) => {
      const models = await withInstallation(env, ({ db }) => listModels(db, new Date(clock.nowMs())));
      const price = (amount: bigint | null | undefined, absent: string) =>
        amount === null || amount === undefined ? absent : usd(amount);
      const rows = models.map(({ prices, ...each }) => [
        each.id,
        price(prices?.inputNanoUsdPerMtok, 'none'),
        price(prices?.outputNanoUsdPerMtok, 'none'),
        price(prices?.cacheReadNanoUsdPerMtok, 'as input'),
        price(prices?.cacheWriteNanoUsdPerMtok, 'as input'),
        price(prices?.cacheWrite1hNanoUsdPerMtok, 'as write'),
        each.contextTokens === null ? '-' : whole(each.contextTokens),
        each.maxOutputTokens === null ? '-' : whole(each.maxOutputTokens),
        String(each.routes),
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
