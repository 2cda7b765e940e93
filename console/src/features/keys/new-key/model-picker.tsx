import { isModelPattern } from '@tollgate/core/models/model-pattern';
import { KEY_SCOPE_LIMITS } from '@tollgate/core/keys/key-scope';
import { useId, useRef, type Ref } from 'react';
import { FieldMessage } from '../../../components/ui/field.tsx';
import { cn } from '../../../lib/cn.ts';
import { formatPlural } from '../../../lib/format/count.ts';
import { ChosenModel } from './chosen-model.tsx';
import { ModelOptions, optionId } from './model-options.tsx';
import { useModelPicker } from './use-model-picker.ts';
import { useModels } from './use-models.ts';

interface ModelPickerProps {
  accountId: string;
  chosen: string[];
  onChange: (models: string[]) => void;
  inputRef: Ref<HTMLInputElement>;
  error: string | undefined;
}

const BOX =
  'flex min-h-[34px] flex-wrap items-center gap-x-1 rounded-lg border border-line-strong bg-surface px-1.5 transition-colors duration-100 focus-within:border-accent hover:border-ink-3 has-[input:focus-visible]:outline-2 has-[input:focus-visible]:outline-accent pointer-coarse:min-h-11';

/** Allowed models of a key: chips for selected models and a search field for the others. */
export function ModelPicker({ accountId, chosen, onChange, inputRef, error }: ModelPickerProps) {
  const id = useId();
  const whole = useRef<HTMLDivElement>(null);
  const query = useModels(accountId);
  const picker = useModelPicker({ models: query.data?.models ?? [], chosen, onChange });
  const isActive = picker.isOpen && picker.activeIndex >= 0;
  return (
    <div
      ref={whole}
      className="relative"
      onBlur={(event) => {
        if (event.relatedTarget instanceof Node && whole.current?.contains(event.relatedTarget)) return;
        picker.setIsOpen(false);
      }}
    >
      <label htmlFor={id} className="mb-[5px] block text-[13px] font-medium">
        Allowed models
      </label>
      <div className={cn(BOX, error !== undefined && 'border-danger')}>
        {chosen.map((model) => (
          <ChosenModel key={model} model={model} onRemove={() => picker.toggle(model)} />
        ))}
        <input
          ref={inputRef}
          id={id}
          role="combobox"
          aria-expanded={picker.isOpen}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={isActive ? optionId(id, picker.activeIndex) : undefined}
          aria-describedby={`${id}-message`}
          aria-invalid={error === undefined ? undefined : true}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder={getPlaceholder(query.isPending, query.data?.models.length ?? 0)}
          value={picker.text}
          onChange={(event) => picker.type(event.target.value)}
          onClick={() => picker.setIsOpen(true)}
          onKeyDown={picker.onKeyDown}
          className="h-8 min-w-36 flex-1 bg-transparent px-1 focus:outline-none pointer-coarse:h-[42px] pointer-coarse:text-base"
        />
      </div>
      {picker.isOpen && <ModelOptions id={id} query={query} picker={picker} chosen={chosen} />}
      <FieldMessage id={`${id}-message`} error={error} hint={getHint(chosen)} />
      <output className="sr-only">
        {picker.isOpen ? `${formatPlural(picker.matches.length, 'model')} in the list` : ''}
      </output>
    </div>
  );
}

function getPlaceholder(isPending: boolean, count: number): string {
  if (isPending) return 'Loading models…';
  return count === 0 ? 'No models yet' : `Search ${formatPlural(count, 'model')}…`;
}

function getHint(chosen: readonly string[]): string {
  const { length } = chosen;
  if (length === 0)
    return 'Leave empty to allow all models. A pattern such as claude-* allows all that begin like it.';
  if (length === KEY_SCOPE_LIMITS.models) return `A key can list at most ${length} models.`;
  if (chosen.some(isModelPattern))
    return 'The key can call only these models. A pattern includes future models.';
  return length === 1 ? 'The key can call only this model.' : `The key can call only these ${length} models.`;
}
