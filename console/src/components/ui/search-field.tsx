import { Search } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useHotkey } from '../../lib/hotkeys.ts';
import { Input } from './input.tsx';
import { Kbd } from './kbd.tsx';

const DEBOUNCE_MS = 200;

interface SearchFieldProps {
  label: string;
  placeholder: string;
  /** The current search of the URL. */
  value: string;
  onSearch: (text: string) => void;
}

/** A search that applies shortly after the last key; `/` focuses it, Esc clears it. */
export function SearchField({ label, placeholder, value, onSearch }: SearchFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(value);
  const [applied, setApplied] = useState(value);
  // It changed from outside ("back", a link): the field follows.
  if (value !== applied) {
    setApplied(value);
    setText(value);
  }
  useHotkey('/', () => input.current?.focus());
  const apply = useEffectEvent((wanted: string) => {
    setApplied(wanted);
    onSearch(wanted);
  });
  useEffect(() => {
    const wanted = text.trim();
    if (wanted === value) return undefined;
    const timer = setTimeout(() => apply(wanted), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [text, value]);
  return (
    <div className="relative w-full sm:max-w-[280px]">
      <Search
        aria-hidden
        className="pointer-events-none absolute top-1/2 left-2.5 size-[15px] -translate-y-1/2 text-ink-3"
      />
      <Input
        ref={input}
        type="search"
        aria-label={label}
        aria-keyshortcuts="/"
        placeholder={placeholder}
        maxLength={100}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          setText('');
          input.current?.blur();
        }}
        className="peer px-8 [&::-webkit-search-cancel-button]:hidden"
      />
      <span
        aria-hidden
        className="pointer-events-none absolute top-1/2 right-2.5 -translate-y-1/2 peer-focus:hidden pointer-coarse:hidden"
      >
        <Kbd>/</Kbd>
      </span>
    </div>
  );
}
