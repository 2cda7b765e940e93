import { useMemo, useState } from 'react';
import { useSession } from '../../../lib/session.ts';
import { readStored, writeStored } from '../../../lib/stored.ts';
import { formatColumns, parseColumns, type LogColumn } from './log-columns.ts';

/** The columns that this person chose in this browser. */
export function useColumns() {
  const { user } = useSession();
  const key = `tollgate-request-columns-${user?.id ?? ''}`;
  const [stored, setStored] = useState(() => readStored(key) ?? '-');
  const chosen = useMemo(() => parseColumns(stored === '-' ? null : stored), [stored]);
  const choose = (shown: readonly LogColumn[] | null) => {
    const next = (shown === null ? null : formatColumns(shown)) ?? '-';
    setStored(next);
    writeStored(key, next);
  };
  return { chosen, choose };
}
