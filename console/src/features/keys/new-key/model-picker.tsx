import { X } from 'lucide-react';
import { useId, useRef, useState, type KeyboardEvent, type Ref } from 'react';
import { KEY_SCOPE_LIMITS } from '@tollgate/core/key-scope';
import { FieldMessage } from '../../../components/ui/field.tsx';
import { cn } from '../../../lib/cn.ts';
import { formatPlural } from '../../../lib/format/count.ts';
import { ModelOptions } from './model-options.tsx';
import { matchModels } from './match-models.ts';
import { useModels } from './use-models.ts';

interface ModelPickerProps {
  accountId: string;
  chosen: string[];
  onChange: (models: string[]) => void;
  inputRef: Ref<HTMLInputElement>;
  error: string | undefined;
}

/**
 * A combobox with many choices, after the ARIA pattern (https://www.w3.org/WAI/ARIA/apg/patterns/combobox/):
 * the focus stays in the field, arrows move through the list, Enter takes, Backspace gives back, Esc closes.
 */
export function ModelPicker({ accountId, chosen, onChange, inputRef, error }: ModelPickerProps) {
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const models = useModels(accountId);
  const [text, setText] = useState('');
  const [isOpen, setIsOpen] = useState(false);
  const [activeIndex, setActiveIndex] = useState(0);
  const matches = matchModels(models.data?.models ?? [], text);
  const active = matches[Math.min(activeIndex, matches.length - 1)];

  const toggle = (model: string) => {
    const isChosen = chosen.includes(model);
    if (!isChosen && chosen.length >= KEY_SCOPE_LIMITS.models) return;
    onChange(isChosen ? chosen.filter((other) => other !== model) : [...chosen, model]);
    setText('');
  };
  const move = (step: number) => {
    setIsOpen(true);
    if (!isOpen || matches.length === 0) return;
    setActiveIndex((Math.min(activeIndex, matches.length - 1) + step + matches.length) % matches.length);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.metaKey || event.ctrlKey) return;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      move(event.key === 'ArrowDown' ? 1 : -1);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      if (isOpen && active !== undefined) toggle(active.id);
      else setIsOpen(true);
    } else if (event.key === 'Escape' && isOpen) {
      // The list alone closes; the dialog around it stays.
      event.stopPropagation();
      setIsOpen(false);
    } else if (event.key === 'Backspace' && text === '') {
      onChange(chosen.slice(0, -1));
    }
  };

  return (
    <div
      ref={box}
      className="relative"
      onBlur={(event) => {
        if (event.relatedTarget instanceof Node && box.current?.contains(event.relatedTarget)) return;
        setIsOpen(false);
      }}
    >
      <label htmlFor={id} className="mb-[5px] block text-[13px] font-medium">
        Allowed models
      </label>
      <div
        className={cn(
          'flex min-h-[34px] flex-wrap items-center gap-1 rounded-lg border border-line-strong bg-surface px-1.5 py-[3px] transition-colors duration-100 focus-within:border-accent hover:border-ink-3 has-[input:focus-visible]:outline-2 has-[input:focus-visible]:outline-accent pointer-coarse:min-h-11',
          error !== undefined && 'border-danger',
        )}
      >
        {chosen.map((model) => (
          <ChosenModel key={model} model={model} onRemove={() => toggle(model)} />
        ))}
        <input
          ref={inputRef}
          id={id}
          role="combobox"
          aria-expanded={isOpen}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={isOpen && active !== undefined ? `${id}-${active.id}` : undefined}
          aria-describedby={`${id}-message`}
          aria-invalid={error === undefined ? undefined : true}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder={placeholderOf(models.isPending, models.data?.models.length ?? 0)}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setActiveIndex(0);
            setIsOpen(true);
          }}
          onClick={() => setIsOpen(true)}
          onKeyDown={onKeyDown}
          className="h-[26px] min-w-36 flex-1 bg-transparent px-1 focus:outline-none pointer-coarse:text-base"
        />
      </div>
      {isOpen && (
        <ModelOptions
          id={id}
          query={models}
          matches={matches}
          text={text}
          activeId={active?.id}
          chosen={chosen}
          onToggle={toggle}
          onHover={setActiveIndex}
        />
      )}
      <FieldMessage id={`${id}-message`} error={error} hint={hintOf(chosen.length)} />
      <output className="sr-only">
        {isOpen ? `${formatPlural(matches.length, 'model')} in the list` : ''}
      </output>
    </div>
  );
}

function ChosenModel({ model, onRemove }: { model: string; onRemove: () => void }) {
  return (
    <span className="inline-flex h-6 max-w-full items-center rounded-[5px] bg-accent-soft pl-[7px] text-xs text-accent">
      <span className="truncate">{model}</span>
      <button
        type="button"
        aria-label={`Remove ${model}`}
        onClick={onRemove}
        className="relative grid size-6 shrink-0 place-items-center rounded-[5px] after:absolute after:-inset-1 hover:bg-accent-line pointer-coarse:after:-inset-2.5"
      >
        <X aria-hidden className="size-3" />
      </button>
    </span>
  );
}

function placeholderOf(isPending: boolean, count: number): string {
  if (isPending) return 'Loading models…';
  return count === 0 ? 'No models yet' : `Search ${formatPlural(count, 'model')}…`;
}

function hintOf(chosen: number): string {
  if (chosen === 0) return 'Empty means every model, now and later.';
  if (chosen === KEY_SCOPE_LIMITS.models) return `A key names at most ${chosen} models.`;
  return chosen === 1
    ? 'The key can call this model alone.'
    : `The key can call these ${chosen} models alone.`;
}
