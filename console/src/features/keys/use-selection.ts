import { useState } from 'react';
import type { KeyRow } from '../../lib/trpc.ts';

export interface Selection {
  /** Selected rows among those shown. */
  rows: KeyRow[];
  has: (keyId: string) => boolean;
  toggle: (keyId: string) => void;
  /** `some`: at least one, but not all. */
  state: 'none' | 'some' | 'all';
  /** Selects all rows, or none if all are selected. */
  toggleAll: () => void;
  clear: () => void;
}

/**
 * Selection of rows for bulk actions.
 * @param rows rows that can be selected; others are dropped from the selection
 */
export function useSelection(rows: KeyRow[]): Selection {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const chosen = rows.filter(({ id }) => ids.has(id));
  const isAll = chosen.length === rows.length && rows.length > 0;
  return {
    rows: chosen,
    has: (keyId) => ids.has(keyId),
    toggle: (keyId) =>
      setIds((current) => {
        const next = new Set(current);
        if (!next.delete(keyId)) next.add(keyId);
        return next;
      }),
    state: chosen.length === 0 ? 'none' : isAll ? 'all' : 'some',
    toggleAll: () => setIds(isAll ? new Set() : new Set(rows.map(({ id }) => id))),
    clear: () => setIds(new Set()),
  };
}
