import { Check } from 'lucide-react';
import { useEffect } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { describeError } from '../../../lib/api-error.ts';
import { cn } from '../../../lib/cn.ts';
import { formatPlural } from '../../../lib/format/count.ts';
import { formatPrice } from '../../../lib/format/money.ts';
import type { PickerOption, useModelPicker } from './use-model-picker.ts';
import type { useModels } from './use-models.ts';

interface ModelOptionsProps {
  /** ID of the combobox, from which the list and option IDs are derived. */
  id: string;
  query: ReturnType<typeof useModels>;
  picker: ReturnType<typeof useModelPicker>;
  chosen: string[];
}

/** DOM ID of an option. It uses the index, because model IDs may contain invalid characters. */
export function optionId(id: string, index: number): string {
  return `${id}-option-${index}`;
}

/** The open list, with the price of each model per million tokens. */
export function ModelOptions({ id, query, picker, chosen }: ModelOptionsProps) {
  const { matches, activeIndex } = picker;
  useEffect(() => {
    document.getElementById(optionId(id, activeIndex))?.scrollIntoView({ block: 'nearest' });
  }, [id, activeIndex]);
  return (
    <div className="absolute inset-x-0 z-10 mt-1 rounded-[10px] border bg-raised shadow-pop">
      <div
        id={`${id}-list`}
        // A native select supports neither prices in options nor a search field.
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
        role="listbox"
        aria-label="Models"
        aria-multiselectable
        className="max-h-60 overflow-y-auto p-1"
      >
        {matches.map((model, index) => (
          <ModelOption
            key={model.id}
            id={optionId(id, index)}
            model={model}
            isActive={index === activeIndex}
            isChosen={chosen.includes(model.id)}
            onToggle={() => picker.toggle(model.id)}
            onHover={() => picker.setActiveIndex(index)}
          />
        ))}
      </div>
      <ListMessage query={query} text={picker.text} count={matches.length} />
    </div>
  );
}

interface ModelOptionProps {
  id: string;
  model: PickerOption;
  isActive: boolean;
  isChosen: boolean;
  onToggle: () => void;
  onHover: () => void;
}

function ModelOption({ id, model, isActive, isChosen, onToggle, onHover }: ModelOptionProps) {
  return (
    // The keyboard is handled in the field, which keeps the focus.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div
      id={id}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- as the list
      role="option"
      aria-selected={isChosen}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onToggle}
      onMouseMove={onHover}
      className={cn(
        'flex min-h-8 items-center gap-2 rounded-md px-2 pointer-coarse:min-h-11',
        isActive && 'bg-sunken',
      )}
    >
      <Check aria-hidden className={cn('size-3.5 shrink-0 text-accent', !isChosen && 'invisible')} />
      <span className="min-w-0 flex-1 truncate">{model.id}</span>
      <span className="shrink-0 text-xs text-ink-3">
        {'count' in model
          ? `${formatPlural(model.count, 'model')} now`
          : `${formatPrice(model.inputUsdPerMtok)} in · ${formatPrice(model.outputUsdPerMtok)} out`}
      </span>
    </div>
  );
}

/** Footer of the list: the price unit, or why the list is empty. */
function ListMessage(props: { query: ModelOptionsProps['query']; text: string; count: number }) {
  const { query, text, count } = props;
  if (query.isError && query.data === undefined) {
    return (
      <p role="alert" className="flex items-center justify-between gap-3 px-3 pb-2 text-[13px] text-danger">
        {describeError(query.error)}
        <Button size="sm" onClick={() => void query.refetch()}>
          Try again
        </Button>
      </p>
    );
  }
  if (count > 0) {
    return <p className="border-t px-3 py-1.5 text-xs text-ink-3">Prices in USD per million tokens.</p>;
  }
  return (
    <p className="px-3 pb-2.5 text-[13px] text-ink-2">
      {query.isPending && 'Loading…'}
      {query.isSuccess &&
        (text === ''
          ? 'No models are available on this plan yet. Ask an operator to add them.'
          : `No model matches “${text}”.`)}
    </p>
  );
}
