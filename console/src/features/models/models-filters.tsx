import { MODEL_CAPABILITIES } from '@tollgate/core/models/model-capabilities';
import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import { SearchField } from '../../components/ui/search-field.tsx';
import { Segmented } from '../../components/ui/segmented.tsx';
import { Select } from '../../components/ui/select.tsx';
import { formatCount } from '../../lib/format/count.ts';
import type { CatalogueModel } from '../../lib/trpc.ts';
import { CAPABILITY_LABELS } from '../../lib/capability-labels.ts';
import type { ModelsSearch } from './search.ts';

interface ModelsFiltersProps {
  search: ModelsSearch;
  models: CatalogueModel[] | undefined;
}

export function ModelsFilters({ search, models }: ModelsFiltersProps) {
  const navigate = useNavigate({ from: '/models' });
  const change = useCallback(
    (next: Partial<ModelsSearch>) =>
      void navigate({ search: (current) => ({ ...current, ...next }), replace: true }),
    [navigate],
  );
  const onSearch = useCallback((q: string) => change({ q: q === '' ? undefined : q }), [change]);
  const callable = models?.filter((model) => model.availability === 'available').length;
  return (
    <div className="flex flex-wrap items-center gap-2 border-b px-3 py-2.5">
      <SearchField
        label="Search models"
        placeholder="Search ID or title"
        value={search.q ?? ''}
        onSearch={onSearch}
      />
      <Select
        aria-label="Capability"
        className="max-sm:w-full"
        value={search.can ?? ''}
        onChange={(event) =>
          change({ can: MODEL_CAPABILITIES.find((capability) => capability === event.target.value) })
        }
      >
        <option value="">Any capability</option>
        {MODEL_CAPABILITIES.map((capability) => (
          <option key={capability} value={capability}>
            {CAPABILITY_LABELS[capability]}
          </option>
        ))}
      </Select>
      <Segmented
        label="Availability"
        value={search.show ?? 'available'}
        onValueChange={(show) => change({ show: show === 'all' ? 'all' : undefined })}
        className="max-sm:w-full max-sm:*:flex-1"
        options={[
          { value: 'available', label: <Counted label="Available" count={callable} /> },
          { value: 'all', label: <Counted label="All" count={models?.length} /> },
        ]}
      />
    </div>
  );
}

function Counted({ label, count }: { label: string; count: number | undefined }) {
  return (
    <>
      {label}{' '}
      <span className="inline-block min-w-2 text-ink-3">{count === undefined ? '' : formatCount(count)}</span>
    </>
  );
}
