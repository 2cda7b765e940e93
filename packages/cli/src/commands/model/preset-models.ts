import type { AddedModel } from '@tollgate/db/queries/providers/provider-models';
import { listModelsOfPreset } from '@tollgate/upstreams/catalogue/model-catalogue';
import type { CatalogueModel } from '@tollgate/upstreams/catalogue/define-models';
import { UsageFailure } from '../../failure.ts';
import { counted } from '../../output/format.ts';

/**
 * What the catalogue says that a preset's provider serves today.
 * @throws UsageFailure where it knows nothing of the provider
 */
export function getPresetModels(preset: string | null, nowMs: number): CatalogueModel[] {
  const models = preset === null ? [] : listModelsOfPreset(preset, nowMs);
  if (models.length > 0) return models;
  const whose = preset === null ? 'a provider without a preset' : preset;
  throw new UsageFailure(
    `--with-models: the catalogue has no models of ${whose}, use \`tollgate model add\``,
  );
}

/** Says what became of the models, in lines for people. */
export function describeAddedModels(added: readonly AddedModel[]): string[] {
  const created = added.filter((model) => model.created).length;
  const there = added.length - created;
  const kept = added.filter((model) => model.otherPrices).map((model) => model.id);
  return [
    `Added ${counted(created, 'model')}${there > 0 ? `, and ${counted(there, 'route')} to models that were there` : ''}.`,
    ...(kept.length > 0
      ? [`They keep their own price, which is not what this provider asks: ${kept.join(', ')}`]
      : []),
  ];
}
