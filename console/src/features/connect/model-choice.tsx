import { useState } from 'react';
import { OptionPicker } from '../../components/ui/option-picker.tsx';
import { Skeleton } from '../../components/ui/skeleton.tsx';

interface ModelChoiceProps {
  /** Models that the key can use. */
  models: readonly string[];
  isPending: boolean;
  model: string;
  onChoose: (model: string) => void;
}

export function ModelChoice({ models, isPending, model, onChoose }: ModelChoiceProps) {
  const [search, setSearch] = useState('');
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const found = models.filter((id) => words.every((word) => id.toLowerCase().includes(word)));
  return (
    <div>
      <div aria-hidden className="mb-[5px] text-[13px] font-medium">
        Model
      </div>
      {isPending ? (
        <Skeleton className="h-[34px]" />
      ) : (
        <OptionPicker
          name="Model"
          placeholder={`Search ${models.length} models`}
          chosen={model}
          search={search}
          onSearch={setSearch}
          options={found.map((id) => ({ value: id, label: id }))}
          empty="No models found"
          onChoose={onChoose}
        />
      )}
      {!isPending && models.length === 0 && (
        <p className="mt-1.5 text-[12.5px] text-ink-2">No usable models. Ask the operator to add one.</p>
      )}
    </div>
  );
}
