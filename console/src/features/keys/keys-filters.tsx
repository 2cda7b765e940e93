import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import { SearchField } from '../../components/ui/search-field.tsx';
import { Segmented } from '../../components/ui/segmented.tsx';
import { Select } from '../../components/ui/select.tsx';
import { formatCount } from '../../lib/format/count.ts';
import { useModels } from './new-key/use-models.ts';
import { KEY_STATES, type KeyListState, type KeysSearch } from './search.ts';
import { useKeyTags } from './use-keys.ts';

const LABELS: Record<KeyListState, string> = {
  active: 'Active',
  expiring: 'Expiring',
  ended: 'Revoked or expired',
};

interface KeysFiltersProps {
  accountId: string;
  search: KeysSearch;
  counts: Record<KeyListState, number> | undefined;
}

/** Updates the filters in the URL, so that links and "back" work. */
export function useSetKeysSearch(): (change: Partial<KeysSearch>) => void {
  const navigate = useNavigate({ from: '/keys' });
  return useCallback(
    (change) => void navigate({ search: (current) => ({ ...current, ...change }), replace: true }),
    [navigate],
  );
}

export function KeysFilters({ accountId, search, counts }: KeysFiltersProps) {
  const setSearch = useSetKeysSearch();
  const onSearch = useCallback((q: string) => setSearch({ q: q === '' ? undefined : q }), [setSearch]);
  const models = useModels(accountId).data?.models.map(({ id }) => id) ?? [];
  const tags = useKeyTags(accountId);
  return (
    <div className="flex flex-wrap items-center gap-2 border-b px-3 py-2.5">
      <SearchField
        label="Search keys"
        placeholder="Search name, prefix or last four"
        value={search.q ?? ''}
        onSearch={onSearch}
      />
      <Segmented
        label="Key status"
        value={search.state ?? 'active'}
        onValueChange={(state) => setSearch({ state: state === 'active' ? undefined : state })}
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
      <OneOf
        label="Filter by model"
        all="Any model"
        value={search.model}
        options={models}
        onChange={(model) => setSearch({ model })}
      />
      <OneOf
        label="Filter by tag"
        all="Any tag"
        value={search.tag}
        options={tags}
        onChange={(tag) => setSearch({ tag })}
      />
    </div>
  );
}

interface OneOfProps {
  label: string;
  all: string;
  value: string | undefined;
  options: string[];
  onChange: (value: string | undefined) => void;
}

/** Hidden without options. A value from a link stays selectable even if it no longer exists. */
function OneOf({ label, all, value, options, onChange }: OneOfProps) {
  const listed = value === undefined || options.includes(value) ? options : [value, ...options];
  if (listed.length === 0) return null;
  return (
    <Select
      aria-label={label}
      className="w-40 max-sm:w-auto max-sm:flex-1"
      value={value ?? ''}
      onChange={(event) => onChange(event.target.value === '' ? undefined : event.target.value)}
    >
      <option value="">{all}</option>
      {listed.map((option) => (
        <option key={option} value={option}>
          {option}
        </option>
      ))}
    </Select>
  );
}
