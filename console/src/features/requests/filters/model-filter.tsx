import { useState } from 'react';
import { OptionPicker } from '../../../components/ui/option-picker.tsx';
import { useCatalogue } from '../../../lib/catalogue.ts';

const SHOWN = 50;

interface ModelFilterProps {
  accountId: string;
  model: string | undefined;
  onChoose: (model: string | null) => void;
}

/** Lists current models and accepts any ID, because the log may contain removed models. */
export function ModelFilter({ accountId, model, onChoose }: ModelFilterProps) {
  const [search, setSearch] = useState('');
  const catalogue = useCatalogue(accountId);
  const typed = search.trim();
  const ids = (catalogue.data?.models ?? [])
    .map(({ id }) => id)
    .filter((id) => id.toLowerCase().includes(typed.toLowerCase()))
    .slice(0, SHOWN);
  const options = ids.map((id) => ({ value: id, label: id }));
  if (typed !== '' && !ids.includes(typed)) options.push({ value: typed, label: `“${typed}” exactly` });
  return (
    <OptionPicker
      name="Model"
      placeholder="Model"
      chosen={model ?? null}
      search={search}
      onSearch={setSearch}
      options={options}
      empty={catalogue.isPending ? 'Loading models' : 'No matching models'}
      onChoose={onChoose}
      onClear={() => onChoose(null)}
    />
  );
}
