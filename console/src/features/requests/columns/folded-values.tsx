import { FOLDED_UNTIL, type ShownFrom } from '../../../components/table/column.ts';
import type { RequestListRow } from '../../../lib/trpc.ts';
import { describeCached } from '../sessions/describe-cached.ts';
import type { LogColumn } from './log-columns.ts';

/** The values of columns below the model. Other columns are left out where they do not fit. */
const TEXTS: Readonly<Partial<Record<LogColumn, (row: RequestListRow) => string | null>>> = {
  session: ({ session }) => session,
  endpoint: ({ endpoint }) => endpoint,
  cached: (row) => {
    const cached = row.isOpen ? null : describeCached(row);
    return cached === null ? null : `${cached} cached`;
  },
};

interface FoldedValuesProps {
  row: RequestListRow;
  /** From which width each column is shown. */
  fitting: ReadonlyMap<LogColumn, ShownFrom>;
}

/** What does not fit next to the model. */
export function FoldedValues({ row, fitting }: FoldedValuesProps) {
  return (
    <div className="flex min-w-0 flex-wrap gap-x-3 text-[12.5px] text-ink-2">
      {[...fitting].map(([column, from]) => {
        const text = TEXTS[column]?.(row) ?? null;
        return text === null ? null : (
          <span key={column} className={`max-w-full truncate ${FOLDED_UNTIL[from]}`}>
            {text}
          </span>
        );
      })}
    </div>
  );
}
