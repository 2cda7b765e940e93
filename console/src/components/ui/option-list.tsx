import { Command, CommandInput, CommandItem, CommandList } from './command.tsx';
import { INPUT } from './input.tsx';

interface Option {
  value: string;
  label: string;
  detail?: string;
}

export interface OptionListProps {
  /** What is chosen: `Key`. */
  name: string;
  placeholder: string;
  search: string;
  onSearch: (text: string) => void;
  options: readonly Option[];
  /** Shown if no option matches. */
  empty: string;
  onChoose: (value: string) => void;
}

/** The options of a picker, with a search field. */
export function OptionList({
  name,
  placeholder,
  search,
  onSearch,
  options,
  empty,
  onChoose,
}: OptionListProps) {
  return (
    <Command label={`Search: ${name.toLowerCase()}`}>
      <CommandInput placeholder={placeholder} value={search} onValueChange={onSearch} className={INPUT} />
      <CommandList label={name} className="mt-1.5 max-h-56">
        {options.map(({ value, label, detail }) => (
          <CommandItem
            key={value}
            value={value}
            onSelect={() => onChoose(value)}
            className="min-h-8 justify-between gap-3 py-1 text-ink-2"
          >
            <span className="truncate">{label}</span>
            {detail !== undefined && <span className="shrink-0 font-mono text-xs text-ink-3">{detail}</span>}
          </CommandItem>
        ))}
      </CommandList>
      {options.length === 0 && <p className="px-2.5 py-2 text-[13px] text-ink-3">{empty}</p>}
    </Command>
  );
}
