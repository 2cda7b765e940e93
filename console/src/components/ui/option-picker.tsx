import { ChevronDown, X } from 'lucide-react';
import { useEffect, useId, useState, type KeyboardEvent } from 'react';
import { Button } from './button.tsx';
import { Input } from './input.tsx';
import { Popover, PopoverContent, PopoverTrigger } from './popover.tsx';
import { cn } from '../../lib/cn.ts';

interface Option {
  value: string;
  label: string;
  detail?: string;
}

interface OptionPickerProps {
  /** What is chosen: `Key`. */
  name: string;
  placeholder: string;
  /** How the chosen one is called; null: none is. */
  chosen: string | null;
  search: string;
  onSearch: (text: string) => void;
  options: readonly Option[];
  /** Stands if there is no option. */
  empty: string;
  onChoose: (value: string) => void;
  /** Absent if one must be chosen. */
  onClear?: () => void;
}

/** One of many, found by typing: the arrows go through what matches, Enter takes it. */
export function OptionPicker(props: OptionPickerProps) {
  const { name, chosen, onSearch, onChoose, onClear } = props;
  const canClear = chosen !== null && onClear !== undefined;
  const [isOpen, setIsOpen] = useState(false);
  const setOpen = (next: boolean) => {
    setIsOpen(next);
    onSearch('');
  };
  return (
    <div className="flex min-w-0">
      <Popover open={isOpen} onOpenChange={setOpen}>
        <PopoverTrigger asChild>
          <Button
            className={cn(
              'w-full min-w-0 shrink px-2.5 pointer-coarse:text-base [&>span]:w-full [&>span]:min-w-0 [&>span]:justify-between',
              canClear && 'rounded-r-none border-r-0',
            )}
          >
            <span className={cn('truncate font-normal', chosen === null && 'text-ink-2')}>
              <span className={cn(chosen !== null && 'sr-only')}>{name}</span>
              {chosen !== null && ` ${chosen}`}
            </span>
            {!canClear && <ChevronDown aria-hidden className="size-3.5 shrink-0 text-ink-3" />}
          </Button>
        </PopoverTrigger>
        <PopoverContent align="start" aria-label={name} className="w-72 p-2">
          <Options
            {...props}
            onChoose={(value) => {
              onChoose(value);
              setOpen(false);
            }}
          />
        </PopoverContent>
      </Popover>
      {canClear && (
        <Button
          aria-label={`Any ${name.toLowerCase()}`}
          onClick={onClear}
          className="w-8 rounded-l-none px-0 pointer-coarse:w-11"
        >
          <X aria-hidden className="size-3.5 text-ink-3" />
        </Button>
      )}
    </div>
  );
}

function Options({ name, placeholder, search, onSearch, options, empty, onChoose }: OptionPickerProps) {
  const listId = useId();
  const [active, setActive] = useState(0);
  const index = Math.min(active, options.length - 1);
  useEffect(() => {
    document.getElementById(`${listId}-${index}`)?.scrollIntoView({ block: 'nearest' });
  }, [listId, index]);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      setActive(Math.min(Math.max(index + step, 0), options.length - 1));
    }
    const option = options[index];
    if (event.key === 'Enter' && option !== undefined) {
      event.preventDefault();
      onChoose(option.value);
    }
  };
  return (
    <>
      <Input
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an input with a list of its own
        role="combobox"
        aria-label={`Search: ${name.toLowerCase()}`}
        aria-expanded
        aria-controls={listId}
        aria-activedescendant={index >= 0 ? `${listId}-${index}` : undefined}
        placeholder={placeholder}
        maxLength={100}
        value={search}
        onChange={(event) => {
          onSearch(event.target.value);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
      />
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a select cannot be searched */}
      <div id={listId} role="listbox" aria-label={name} className="mt-1.5 grid max-h-56 overflow-y-auto">
        {options.map((option, place) => (
          <button
            key={option.value}
            id={`${listId}-${place}`}
            type="button"
            // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- as the list
            role="option"
            tabIndex={-1}
            aria-selected={place === index}
            onClick={() => onChoose(option.value)}
            onMouseMove={() => setActive(place)}
            className={cn(
              'flex min-h-8 min-w-0 items-center justify-between gap-3 rounded-md px-2.5 py-1 text-left pointer-coarse:min-h-11',
              place === index ? 'bg-sunken text-ink' : 'text-ink-2',
            )}
          >
            <span className="truncate">{option.label}</span>
            {option.detail !== undefined && (
              <span className="shrink-0 font-mono text-xs text-ink-3">{option.detail}</span>
            )}
          </button>
        ))}
      </div>
      {options.length === 0 && <p className="px-2.5 py-2 text-[13px] text-ink-3">{empty}</p>}
    </>
  );
}
