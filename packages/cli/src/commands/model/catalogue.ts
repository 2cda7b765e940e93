import { MODEL_CATALOGUE } from '@tollgate/upstreams/catalogue/model-catalogue';
import type { CatalogueModel } from '@tollgate/upstreams/catalogue/define-models';
import type { Command } from 'commander';
import { z } from 'zod';
import { addCommand } from '../../command.ts';
import { usd, whole } from '../../output/format.ts';
import { formatTable } from '../../output/table.ts';
import { factsJson } from './model-view.ts';
import { pricesJson } from './price-view.ts';

const COLUMNS = [
  { title: 'ID' },
  { title: 'PRESET' },
  { title: 'INPUT/MTOK', align: 'right' },
  { title: 'OUTPUT/MTOK', align: 'right' },
  { title: 'CONTEXT', align: 'right' },
  { title: 'MAX OUTPUT', align: 'right' },
  { title: 'RETIRES' },
] as const;

export function addModelCatalogue(model: Command): void {
  addCommand(model, {
    usage: 'catalogue',
    summary: 'List models with known prices and limits',
    options: [{ flags: '--preset <preset>', about: 'only models of this preset' }],
    input: z.object({ preset: z.string().optional() }),
    examples: ['tollgate model catalogue', 'tollgate model catalogue --preset groq --json'],
    run: ({ preset }) => {
      const models = MODEL_CATALOGUE.filter((each) => preset === undefined || each.preset === preset);
      return Promise.resolve({
        json: { models: models.map(catalogueModelJson) },
        text:
          models.length > 0
            ? formatTable(COLUMNS, models.map(getRow))
            : `The catalogue has no models of ${preset}. List all models with \`tollgate model catalogue\`.`,
      });
    },
  });
}

function getRow({ id, preset, prices, facts }: CatalogueModel): string[] {
  return [
    id,
    preset,
    usd(prices.inputNanoUsdPerMtok),
    usd(prices.outputNanoUsdPerMtok),
    facts.contextTokens === null ? '-' : whole(facts.contextTokens),
    facts.maxOutputTokens === null ? '-' : whole(facts.maxOutputTokens),
    facts.retiresAt?.toISOString().slice(0, 10) ?? '-',
  ];
}

function catalogueModelJson({ id, preset, upstreamModel, prices, facts }: CatalogueModel) {
  return {
    id,
    preset,
    upstreamModel: upstreamModel ?? id,
    ...factsJson(facts),
    price: pricesJson(prices),
  };
}
