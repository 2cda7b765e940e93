import { toRateLines, toRates } from '@tollgate/core/money/rates/rate-lines';
import { putModel } from '@tollgate/db/queries/models/models';
import type { Command } from 'commander';
import { z } from 'zod';
import { addCommand } from '../../command.ts';
import { withInstallation } from '../../installation.ts';
import { counted } from '../../output/format.ts';
import { listLackingModels } from './missing-rates.ts';
import { getModel } from './model-view.ts';

export function addModelUpdateRates(model: Command): void {
  addCommand(model, {
    usage: 'update-rates',
    summary: 'Add missing published rates to models; existing prices and rates do not change',
    options: [
      { flags: '--id <id>', about: 'only this model' },
      { flags: '--dry-run', about: 'show missing rates without changing anything' },
    ],
    input: z.object({ id: z.string().optional(), dryRun: z.boolean().optional() }),
    examples: ['tollgate model update-rates --dry-run', 'tollgate model update-rates --id gpt-5-mini'],
    run: async ({ id, dryRun = false }, { env, clock }) => {
      const now = new Date(clock.nowMs());
      const lacking = await withInstallation(env, async ({ db }) => {
        if (id !== undefined) await getModel(db, id, now);
        const found = (await listLackingModels(db, now)).filter(
          ({ model }) => id === undefined || model.id === id,
        );
        for (const { model, missing } of dryRun ? [] : found) {
          if (model.prices === null) continue;
          const rates = toRates([...toRateLines(model.prices.rates), ...missing]);
          await putModel(db, { id: model.id, facts: {}, prices: { ...model.prices, rates }, now });
        }
        return found;
      });
      const lines = lacking.map(
        ({ model, missing }) =>
          `${model.id}: ${missing.map(({ rate, value }) => `${rate}=${value}`).join(', ')}`,
      );
      return {
        json: {
          changed: !dryRun && lacking.length > 0,
          models: lacking.map(({ model, missing }) => ({
            id: model.id,
            rates: Object.fromEntries(missing.map(({ rate, value }) => [rate, value])),
          })),
        },
        text:
          lacking.length === 0
            ? 'All models have their published rates.'
            : [
                dryRun
                  ? `${counted(lacking.length, 'model')} would be updated:`
                  : `${counted(lacking.length, 'model')} updated:`,
                ...lines,
              ].join('\n'),
      };
    },
  });
}
