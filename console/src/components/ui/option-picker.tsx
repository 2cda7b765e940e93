import { ChevronDown, X } from 'lucide-react';
import { useState } from 'react';
import { Button } from './button.tsx';
import { lazyDialog } from './lazy-dialog.tsx';
import type { OptionListProps } from './option-list.tsx';
import { Popover, PopoverContent, PopoverTrigger } from './popover.tsx';
import { cn } from '../../lib/cn.ts';

interface OptionPickerProps extends OptionListProps {
  /** Label of the chosen option; null if none is chosen. */
  chosen: string | null;
  /** Absent if one must be chosen. */
  onClear?: () => void;
}

const OptionList = lazyDialog(async () => (await import('./option-list.tsx')).OptionList);

/** Chooses one of many options, which are searched. */
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
          <OptionList
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
