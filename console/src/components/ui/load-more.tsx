import { Button } from './button.tsx';
import { describeError } from '../../lib/api-error.ts';

interface LoadMoreProps {
  hasMore: boolean;
  isLoading: boolean;
  error: unknown;
  onLoad: () => void;
}

export function LoadMore({ hasMore, isLoading, error, onLoad }: LoadMoreProps) {
  if (!hasMore) return null;
  return (
    <div className="flex flex-wrap items-center justify-center gap-3 border-t px-3 py-2.5">
      {error !== null && (
        <p role="alert" className="text-[13px] text-danger">
          {describeError(error)}
        </p>
      )}
      <Button size="sm" isPending={isLoading} onClick={onLoad}>
        Load more
      </Button>
    </div>
  );
}
