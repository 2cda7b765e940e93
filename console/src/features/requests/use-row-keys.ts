import { useEffect, useEffectEvent } from 'react';
import type { RequestListRow } from '../../lib/trpc.ts';

const TYPING = 'input, textarea, select, [contenteditable="true"], [role="combobox"]';
/** Layers above the log, except its own drawer. */
const OTHER_LAYER = '[role="dialog"]:not([data-request-drawer]), [role="alertdialog"], [role="menu"]';
const STEPS: Record<string, number> = { j: 1, k: -1 };
/** Rows are rendered within a few frames after scrolling. */
const MAX_FRAMES = 5;

interface RowKeys {
  rows: RequestListRow[];
  shownId: string | undefined;
  onShow: (id: string) => void;
  scrollTo: (index: number) => void;
}

/**
 * `j` and `k` move the drawer between requests, or the focus from elsewhere to the first request. The table moves the focus
 * between rows.
 */
export function useRowKeys({ rows, shownId, onShow, scrollTo }: RowKeys): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented)
      return;
    if (event.target instanceof Element && event.target.closest(TYPING) !== null) return;
    if (document.querySelector(OTHER_LAYER) !== null) return;
    if (shownId === undefined && event.target instanceof Element && event.target.closest('tbody') !== null)
      return;
    const from = rows.findIndex(({ id }) => id === shownId);
    const to = from < 0 ? 0 : Math.min(Math.max(from + step, 0), rows.length - 1);
    const row = rows[to];
    if (row === undefined) return;
    event.preventDefault();
    scrollTo(to);
    if (shownId === undefined) focusRequest(row.id, MAX_FRAMES);
    else onShow(row.id);
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKeyDown(event);
    // Before the table, which would move the focus while the drawer is open.
    document.addEventListener('keydown', listener, true);
    return () => document.removeEventListener('keydown', listener, true);
  }, []);
}

/** Focuses a request's row as soon as it is rendered. */
export function focusRequest(id: string, frames = MAX_FRAMES): void {
  const link = document.querySelector<HTMLElement>(`[data-request="${CSS.escape(id)}"]`);
  if (link !== null) link.focus({ preventScroll: true });
  else if (frames > 0) requestAnimationFrame(() => focusRequest(id, frames - 1));
}
