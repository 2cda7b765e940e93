import { useNavigate } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Input } from '../../components/ui/input.tsx';
import { Kbd } from '../../components/ui/kbd.tsx';
import { Segmented } from '../../components/ui/segmented.tsx';
import { formatCount } from '../../lib/format/count.ts';
import { useHotkey } from '../../lib/hotkeys.ts';
import { KEY_STATES, type KeyListState } from './search.ts';

const DEBOUNCE_MS = 200;
const LABELS: Record<KeyListState, string> = { active: 'Active', expiring: 'Expiring', ended: 'Ended' };

interface KeysFiltersProps {
  state: KeyListState;
  search: string;
  counts: Record<KeyListState, number> | undefined;
}

/** Search and segments: both live in the URL, so that a list can be linked to and "back" works. */
export function KeysFilters({ state, search, counts }: KeysFiltersProps) {
  const navigate = useNavigate({ from: '/keys' });
  const setState = (next: KeyListState) =>
    void navigate({
      search: (current) => ({ ...current, state: next === 'active' ? undefined : next }),
      replace: true,
    });
  return (
    <div className="flex flex-wrap items-center gap-2 border-b px-3 py-2.5">
      <SearchInput search={search} />
      <Segmented
        label="Which keys"
        value={state}
        onValueChange={setState}
        className="max-sm:w-full max-sm:*:flex-1"
        options={KEY_STATES.map((value) => ({
          value,
          label: (
            <>
              {LABELS[value]}{' '}
              <span className="inline-block min-w-2 text-ink-3">
                {counts === undefined ? '' : formatCount(counts[value])}
              </span>
            </>
          ),
        }))}
      />
    </div>
  );
}

function SearchInput({ search }: { search: string }) {
  const navigate = useNavigate({ from: '/keys' });
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(search);
  const [applied, setApplied] = useState(search);
  // The URL changed from outside (back, "Clear search"): the field follows.
  if (search !== applied) {
    setApplied(search);
    setText(search);
  }
  useHotkey('/', () => input.current?.focus());
  useEffect(() => {
    const wanted = text.trim();
    if (wanted === search) return undefined;
    const timer = setTimeout(() => {
      setApplied(wanted);
      void navigate({
        search: (current) => ({ ...current, q: wanted === '' ? undefined : wanted }),
        replace: true,
      });
    }, DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [text, search, navigate]);
  return (
    <div className="relative w-full sm:max-w-[280px]">
      <Search
        aria-hidden
        className="pointer-events-none absolute top-1/2 left-2.5 size-[15px] -translate-y-1/2 text-ink-3"
      />
      <Input
        ref={input}
        type="search"
        aria-label="Search the keys"
        aria-keyshortcuts="/"
        placeholder="Search name, prefix or last four"
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
