import type { ReactNode } from 'react';
import { ErrorState } from './error-state.tsx';
import { LoadMore } from './load-more.tsx';
import { TableSkeleton } from './table-skeleton.tsx';

/** What a list needs to know about its query. */
export interface PagedList {
  isPending: boolean;
  isFetching: boolean;
  error: unknown;
  data: unknown;
  refetch: () => Promise<unknown>;
  isPlaceholderData?: boolean;
  hasNextPage?: boolean;
  isFetchingNextPage?: boolean;
  isFetchNextPageError?: boolean;
  fetchNextPage?: () => Promise<unknown>;
}

interface PagedProps {
  list: PagedList;
  /** Title of the error if the list could not be loaded. */
  title: string;
  /** Shown while the list loads. */
  skeleton?: ReactNode;
  /** Follows the list. Default: a button that loads the next page. */
  end?: ReactNode;
  children: ReactNode;
}

/** A list that is loaded completely or page by page, with its loading and error states. */
export function Paged({ list, title, skeleton = <TableSkeleton />, end, children }: PagedProps) {
  if (list.isPending) return skeleton;
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
      {end ?? (
        <LoadMore
          hasMore={list.hasNextPage === true}
          isLoading={list.isFetchingNextPage === true}
          error={list.isFetchNextPageError === true ? list.error : null}
          onLoad={() => void list.fetchNextPage?.()}
        />
      )}
    </>
  );
}
