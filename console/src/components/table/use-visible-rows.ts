import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useRef, useState, type RefObject } from 'react';

const OVERSCAN_ROWS = 12;

/** The rendered range of rows. */
export interface VisibleRows {
  indexes: readonly number[];
  /** Height of the rows before and after that part. */
  beforePx: number;
  afterPx: number;
  bodyRef: RefObject<HTMLTableSectionElement | null>;
  measure: (row: HTMLTableRowElement | null) => void;
  scrollTo: (index: number) => void;
}

interface Options {
  count: number;
  getKey: (index: number) => string | number;
  /** Estimated height of a row. */
  rowPx: number;
  /** Called when the last row becomes visible. */
  onNearEnd: () => void;
}

/** Renders only the rows in the window and a few more. */
export function useVisibleRows({ count, getKey, rowPx, onNearEnd }: Options): VisibleRows {
  const bodyRef = useRef<HTMLTableSectionElement>(null);
  const [scrollMargin, setScrollMargin] = useState(0);
  // oxlint-disable-next-line react/incompatible-library -- nothing here is memoized by a compiler
  const virtualizer = useWindowVirtualizer({
    count,
    estimateSize: () => rowPx,
    getItemKey: getKey,
    overscan: OVERSCAN_ROWS,
    scrollMargin,
  });
  // Content above the table can change height and move the rows.
  useLayoutEffect(() => {
    const measure = () =>
      setScrollMargin(Math.round((bodyRef.current?.getBoundingClientRect().top ?? 0) + window.scrollY));
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, []);
  const items = virtualizer.getVirtualItems();
  const last = items.at(-1);
  const lastIndex = last?.index ?? -1;
  useLayoutEffect(() => {
    if (lastIndex >= count - 1) onNearEnd();
  }, [lastIndex, count, onNearEnd]);
  return {
    indexes: items.map(({ index }) => index),
    beforePx: (items[0]?.start ?? scrollMargin) - scrollMargin,
    afterPx: virtualizer.getTotalSize() - ((last?.end ?? scrollMargin) - scrollMargin),
    bodyRef,
    measure: virtualizer.measureElement,
    scrollTo: (index) => virtualizer.scrollToIndex(index),
  };
}
