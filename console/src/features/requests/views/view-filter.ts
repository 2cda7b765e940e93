import type { SavedFilter } from '@tollgate/core/requests/saved-view';
import { toFilter, type RequestsSearch } from '../search.ts';

/** The filters of the page as a view stores them: without the reader's time zone. */
export function toSavedFilter(search: RequestsSearch): SavedFilter {
  const { zone: _, ...filter } = toFilter(search);
  return filter;
}

/** The URL of a view. Every filter is in it, so that a link works for people who cannot see the view. */
export function toViewSearch(view: { id: string; filter: SavedFilter }): RequestsSearch {
  return { ...view.filter, view: view.id };
}

/** True: the filters of the page are those of the view. */
export function isUnchanged(search: RequestsSearch, filter: SavedFilter): boolean {
  const sort = (of: object) => JSON.stringify(Object.entries(of).toSorted(([a], [b]) => a.localeCompare(b)));
  return sort(toSavedFilter(search)) === sort(filter);
}
