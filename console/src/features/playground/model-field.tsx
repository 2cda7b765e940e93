import { useState } from 'react';
import { FieldMessage } from '../../components/ui/field.tsx';
import { OptionPicker } from '../../components/ui/option-picker.tsx';
import { formatPrice } from '../../lib/format/money.ts';
import { describePlanPrice } from '../../lib/format/plan-price.ts';
import { listChatModels } from '../../lib/sample-model.ts';
import type { Catalogue } from '../../lib/trpc.ts';
import { matchModels } from '../../lib/match-models.ts';
import { useSettings } from './use-settings.ts';

/** The model if only one is asked, with its prices. */
export function ModelField({ catalogue, model }: { catalogue: Catalogue; model: string }) {
  const { change } = useSettings();
  const prices = listChatModels(catalogue.models).find(({ id }) => id === model)?.planPrices ?? null;
  const hint =
    prices === null
      ? undefined
      : [
          `${formatPrice(prices.inputUsd)} in, ${formatPrice(prices.outputUsd)} out, per million tokens.`,
          describePlanPrice(catalogue.plan),
        ]
          .filter((sentence) => sentence !== null)
          .join(' ');
  return (
    <div>
      <div aria-hidden className="mb-[5px] text-[13px] font-medium">
        Model
      </div>
      <ModelPicker
        name="Model"
        catalogue={catalogue}
        model={model}
        onChoose={(next) => change({ model: next })}
      />
      <FieldMessage id="playground-model-prices" hint={hint} />
    </div>
  );
}

interface ModelPickerProps {
  name: string;
  catalogue: Catalogue;
  model: string;
  onChoose: (model: string) => void;
}

export function ModelPicker({ name, catalogue, model, onChoose }: ModelPickerProps) {
  const [search, setSearch] = useState('');
  const models = listChatModels(catalogue.models);
  return (
    <OptionPicker
      name={name}
      placeholder={`Search ${models.length} models`}
      chosen={model}
      search={search}
      onSearch={setSearch}
      options={matchModels(models, search).map(({ id, planPrices: costs }) => ({
        value: id,
        label: id,
        ...(costs !== null && {
          detail: `${formatPrice(costs.inputUsd)} · ${formatPrice(costs.outputUsd)}`,
        }),
      }))}
      empty="No models found"
      onChoose={onChoose}
    />
  );
}
