import type { ReactNode } from 'react';
import type { RequestsSearch } from '../search.ts';
import { KeyFilter } from './key-filter.tsx';
import { RangeFilter } from './range-filter.tsx';

interface SpanFiltersProps {
  accountId: string;
  search: Pick<RequestsSearch, 'key' | 'range' | 'from' | 'to'>;
  onChange: (part: Pick<RequestsSearch, 'key' | 'range' | 'from' | 'to'>) => void;
  /** Further filters of the page. */
  children?: ReactNode;
}

/** The row of filters of a page about requests in a time range: time, key, and what the page adds. */
export function SpanFilters({ accountId, search, onChange, children }: SpanFiltersProps) {
  return (
    <div className="grid grid-cols-2 gap-2 border-b px-3 py-2.5 @2xl:flex @2xl:flex-wrap @2xl:*:w-[170px]">
      <RangeFilter span={search} onChange={onChange} />
      <KeyFilter
        accountId={accountId}
        keyId={search.key}
        onChoose={(key) => onChange({ key: key ?? undefined })}
      />
      {children}
    </div>
  );
}
