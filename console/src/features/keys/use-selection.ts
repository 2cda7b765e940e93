import { useState } from 'react';
import type { KeyRow } from '../../lib/trpc.ts';

export interface Selection {
  /** Of the rows in sight, those that are chosen. */
  rows: KeyRow[];
  has: (keyId: string) => boolean;
  toggle: (keyId: string) => void;
  /** `some`: neither none nor all. */
  state: 'none' | 'some' | 'all';
  /** All, or none where all are chosen. */
  toggleAll: () => void;
  clear: () => void;
}

/**
 * Rows that are chosen to be dealt with together.
 * @param rows those that can be chosen; what is no longer among them counts no more
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
