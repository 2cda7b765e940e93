import type { AddedModel } from '@tollgate/db/queries/providers/provider-models';
import { listModelsOfPreset } from '@tollgate/upstreams/catalogue/model-catalogue';
import type { CatalogueModel } from '@tollgate/upstreams/catalogue/define-models';
import { UsageFailure } from '../../failure.ts';
import { counted } from '../../output/format.ts';

/**
 * Lists the catalogue models of a preset that have not retired.
 * @throws UsageFailure if the catalogue has no models of the preset
 */
export function getPresetModels(preset: string | null, nowMs: number): CatalogueModel[] {
  const models = preset === null ? [] : listModelsOfPreset(preset, nowMs);
  if (models.length > 0) return models;
  const whose = preset === null ? 'a provider without a preset' : preset;
  throw new UsageFailure(
    `--with-models: the catalogue has no models of ${whose}. Use \`tollgate model add\`.`,
  );
}

/** Describes which models and routes were added. */
export function describeAddedModels(added: readonly AddedModel[]): string[] {
  const created = added.filter((model) => model.created).length;
  const there = added.length - created;
  const kept = added.filter((model) => model.otherPrices).map((model) => model.id);
  return [
    `Added ${counted(created, 'model')}${there > 0 ? `, and ${counted(there, 'route')} to existing models` : ''}.`,
    ...(kept.length > 0
      ? [`These models keep their price, which differs from this provider's price: ${kept.join(', ')}`]
      : []),
  ];
}
