import type { ReactNode } from 'react';
import { ErrorState } from './error-state.tsx';
import { LoadMore } from './load-more.tsx';
import { TableSkeleton } from './table-skeleton.tsx';

interface PagedList {
  isPending: boolean;
  isFetching: boolean;
  error: unknown;
  data: unknown;
  refetch: () => Promise<unknown>;
  hasNextPage?: boolean;
  isFetchingNextPage?: boolean;
  isFetchNextPageError?: boolean;
  fetchNextPage?: () => Promise<unknown>;
}

/** A list, whole or page by page: while it loads, where it fails, and what is under it. */
export function Paged({ list, title, children }: { list: PagedList; title: string; children: ReactNode }) {
  if (list.isPending) return <TableSkeleton />;
  if (list.data === undefined) {
    return (
      <ErrorState
        title={title}
        error={list.error}
        isRetrying={list.isFetching}
        onRetry={() => void list.refetch()}
      />
    );
  }
  return (
    <>
      {children}
      <LoadMore
        hasMore={list.hasNextPage === true}
        isLoading={list.isFetchingNextPage === true}
        error={list.isFetchNextPageError === true ? list.error : null}
        onLoad={() => void list.fetchNextPage?.()}
      />
    </>
  );
}
