import { Button } from '../../components/ui/button.tsx';
import { describeError } from '../../lib/api-error.ts';
import { describeRange } from './filters/describe-range.ts';
import { formatMinute } from './format-clock.ts';
import type { RequestsSearch } from './search.ts';

interface LogEndProps {
  search: RequestsSearch;
  hasMore: boolean;
  isLoading: boolean;
  error: unknown;
  /** How far back a search without matches has come; null after a match. */
  searchedTo: string | null;
  onMore: () => void;
}

/** Footer of the log: loading state and the range that is searched. */
export function LogEnd({ search, hasMore, isLoading, error, searchedTo, onMore }: LogEndProps) {
  if (!hasMore) {
    return (
      <p className="border-t px-3 py-3 text-center text-[12.5px] text-ink-3">
        No more requests in {describeRange(search)}. Choose a longer range.
      </p>
    );
  }
  return (
    <div className="flex min-h-[53px] flex-wrap items-center justify-center gap-3 border-t px-3 py-2.5 text-[13px] text-ink-2">
      {error !== null && (
        <p role="alert" className="text-danger">
          {describeError(error)}
        </p>
      )}
      {searchedTo !== null && <output>Searched back to {formatMinute(new Date(searchedTo))}</output>}
      <Button size="sm" isPending={isLoading} onClick={onMore}>
        {searchedTo === null ? 'Load more' : 'Search further back'}
      </Button>
    </div>
  );
}
