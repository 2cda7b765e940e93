import { Check } from 'lucide-react';
import { useEffect } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { describeError } from '../../../lib/api-error.ts';
import { cn } from '../../../lib/cn.ts';
import { formatPrice } from '../../../lib/format/money.ts';
import type { Model } from '../../../lib/trpc.ts';
import type { useModels } from './use-models.ts';

interface ModelOptionsProps {
  /** Of the combobox: the list and its options derive theirs from it. */
  id: string;
  query: ReturnType<typeof useModels>;
  matches: Model[];
  text: string;
  activeId: string | undefined;
  chosen: string[];
  onToggle: (model: string) => void;
  onHover: (index: number) => void;
}

/** The open list, with the price of each model per million tokens. */
export function ModelOptions(props: ModelOptionsProps) {
  const { id, query, matches, text, activeId, chosen, onToggle, onHover } = props;
  useEffect(() => {
    if (activeId === undefined) return;
    document.getElementById(`${id}-${activeId}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, activeId]);
  return (
    <div className="absolute inset-x-0 z-10 mt-1 rounded-[10px] border bg-raised shadow-pop">
      <div
        id={`${id}-list`}
        // A native list takes neither prices beside its entries nor a field above them.
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
        role="listbox"
        aria-label="Models"
        aria-multiselectable
        className="max-h-60 overflow-y-auto p-1"
      >
        {matches.map((model, index) => {
          const isChosen = chosen.includes(model.id);
          return (
            // The keyboard is handled in the field, which keeps the focus.
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
            <div
              key={model.id}
              id={`${id}-${model.id}`}
              // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
              role="option"
              aria-selected={isChosen}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => onToggle(model.id)}
              onMouseMove={() => onHover(index)}
              className={cn(
                'flex min-h-8 items-center gap-2 rounded-md px-2 pointer-coarse:min-h-11',
                model.id === activeId && 'bg-sunken',
              )}
            >
              <Check aria-hidden className={cn('size-3.5 shrink-0 text-accent', !isChosen && 'invisible')} />
              <span className="min-w-0 flex-1 truncate">{model.id}</span>
              <span className="shrink-0 text-xs text-ink-3">
                {formatPrice(model.inputUsdPerMtok)} in · {formatPrice(model.outputUsdPerMtok)} out
              </span>
            </div>
          );
        })}
      </div>
      {query.isError && (
        <p role="alert" className="flex items-center justify-between gap-3 px-3 pb-2 text-[13px] text-danger">
          {describeError(query.error)}
          <Button size="sm" onClick={() => void query.refetch()}>
            Try again
          </Button>
        </p>
      )}
      {query.isSuccess && matches.length === 0 && (
        <p className="px-3 pb-2.5 text-[13px] text-ink-2">
          {text === ''
            ? 'No model has both a price and a route yet. The operator adds them with the tollgate command.'
            : `No model matches “${text}”.`}
        </p>
      )}
      {matches.length > 0 && (
        <p className="border-t px-3 py-1.5 text-xs text-ink-3">Prices are USD per million tokens.</p>
      )}
    </div>
  );
}
