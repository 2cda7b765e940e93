import { useNavigate } from '@tanstack/react-router';
import { SlidersHorizontal, X } from 'lucide-react';
import { useCallback, useState } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { cn } from '../../../lib/cn.ts';
import { countFilters, type RequestsSearch } from '../search.ts';
import { ClientFilter } from './client-filter.tsx';
import { CodeFilter } from './code-filter.tsx';
import { CostFilter } from './cost-filter.tsx';
import { FindById } from './find-by-id.tsx';
import { KeyFilter } from './key-filter.tsx';
import { ModelFilter } from './model-filter.tsx';
import { RangeFilter } from './range-filter.tsx';
import { SessionFilter } from './session-filter.tsx';
import { StatusFilter } from './status-filter.tsx';

const NO_FILTER = {
  key: undefined,
  model: undefined,
  session: undefined,
  status: undefined,
  code: undefined,
  client: undefined,
  minCost: undefined,
  view: undefined,
};

/** Filters of the log, kept in the URL so that links and "back" work. */
export function FilterBar({ accountId, search }: { accountId: string; search: RequestsSearch }) {
  const navigate = useNavigate({ from: '/requests' });
  const [isUnfolded, setIsUnfolded] = useState(false);
  const change = useCallback(
    (part: Partial<RequestsSearch>) =>
      void navigate({ search: (current) => ({ ...current, ...part }), replace: true, resetScroll: false }),
    [navigate],
  );
  const changeCost = useCallback((minCost: string | undefined) => change({ minCost }), [change]);
  const count = countFilters(search);
  return (
    <div className="grid gap-2 border-b px-3 py-2.5 @3xl:flex @3xl:flex-wrap">
      <div className="grid grid-cols-[minmax(0,1fr)_auto] gap-2 @3xl:w-[190px] @3xl:grid-cols-1 @4xl:w-[168px]">
        <FindById onFind={(request) => change({ request })} />
        <Button aria-expanded={isUnfolded} onClick={() => setIsUnfolded(!isUnfolded)} className="@3xl:hidden">
          <SlidersHorizontal aria-hidden className="size-[15px]" />
          Filters{count > 0 && ` (${count})`}
        </Button>
      </div>
      <div
        className={cn(
          'grid-cols-2 gap-2 @3xl:flex @3xl:min-w-0 @3xl:flex-1 @3xl:flex-wrap @3xl:*:w-[134px]',
          // One line, if all six fit.
          '@4xl:flex-nowrap @4xl:*:max-w-[134px] @4xl:*:min-w-0 @4xl:*:flex-1',
          // "Last 24 hours" is not cut off.
          '@4xl:*:first:min-w-[126px]',
          isUnfolded ? 'grid' : 'hidden',
        )}
      >
        <RangeFilter span={search} onChange={change} />
        <StatusFilter status={search.status} onChange={(status) => change({ status })} />
        <KeyFilter
          accountId={accountId}
          keyId={search.key}
          onChoose={(key) => change({ key: key ?? undefined })}
        />
        <ModelFilter
          accountId={accountId}
          model={search.model}
          onChoose={(model) => change({ model: model ?? undefined })}
        />
        <CodeFilter code={search.code} onChange={(code) => change({ code })} />
        <ClientFilter client={search.client} onChange={(client) => change({ client })} />
        {search.session !== undefined && (
          <SessionFilter session={search.session} onClear={() => change({ session: undefined })} />
        )}
        <CostFilter minCost={search.minCost} onChange={changeCost} />
        {count > 0 && (
          <Button
            variant="ghost"
            aria-label="Clear filters"
            title="Clear filters"
            onClick={() => change(NO_FILTER)}
            className="px-2.5 @3xl:w-auto! @4xl:flex-none!"
          >
            <X aria-hidden className="size-4" />
            <span aria-hidden className="@3xl:hidden">
              Clear
            </span>
          </Button>
        )}
      </div>
    </div>
  );
}
