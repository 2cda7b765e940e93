import { useNavigate } from '@tanstack/react-router';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { cn } from '../../lib/cn.ts';
import type { CatalogueModel } from '../../lib/trpc.ts';
import { COLUMNS } from './columns.ts';
import { ModelTableRow } from './model-table-row.tsx';
import type { ModelSort, ModelsSearch } from './search.ts';

const HEAD = 'px-3.5 py-[9px] text-left text-xs font-medium text-ink-3 @max-md:px-2.5';

interface ModelsTableProps {
  models: CatalogueModel[];
  search: ModelsSearch;
}

export function ModelsTable({ models, search }: ModelsTableProps) {
  const sorted = { sort: search.sort ?? 'id', isDown: search.down ?? false } as const;
  return (
    <table className="w-full">
      <caption className="sr-only">Models, with prices in USD per million tokens</caption>
      <thead>
        <tr className="border-b">
          <SortHead by="id" label="Model" sorted={sorted} />
          <th scope="col" className={cn(HEAD, COLUMNS.capabilities)}>
            Capabilities
          </th>
          <SortHead by="context" label="Context" sorted={sorted} className={COLUMNS.context} isRight />
          <SortHead
            by="output-max"
            label="Max output"
            sorted={sorted}
            className={COLUMNS.maxOutput}
            isRight
          />
          <SortHead by="input" label="Input" sorted={sorted} isRight />
          <th scope="col" className={cn(HEAD, COLUMNS.cache, 'text-right')}>
            {' '}
            Cached input{' '}
          </th>
          <th scope="col" className={cn(HEAD, COLUMNS.cache, 'text-right')}>
            Cache write
          </th>
          <SortHead by="output" label="Output" sorted={sorted} isRight />
          <th scope="col" className={cn(HEAD, COLUMNS.actions)}>
            <span className="sr-only">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody className="divide-y">
        {models.map((model) => (
          <ModelTableRow key={model.id} model={model} />
        ))}
      </tbody>
    </table>
  );
}

interface SortHeadProps {
  by: ModelSort;
  label: string;
  sorted: { sort: ModelSort; isDown: boolean };
  className?: string;
  isRight?: boolean;
}

/** A sortable column header; a second click reverses the order. */
function SortHead({ by, label, sorted, className, isRight = false }: SortHeadProps) {
  const navigate = useNavigate({ from: '/models' });
  const isActive = sorted.sort === by;
  const isNextDown = isActive && !sorted.isDown;
  const Arrow = sorted.isDown ? ArrowDown : ArrowUp;
  return (
    <th
      scope="col"
      aria-sort={isActive ? (sorted.isDown ? 'descending' : 'ascending') : 'none'}
      className={cn(HEAD, 'py-0', isRight && 'text-right', className)}
    >
      <button
        type="button"
        onClick={() =>
          void navigate({
            search: (current) => ({
              ...current,
              sort: by === 'id' ? undefined : by,
              down: isNextDown ? true : undefined,
            }),
            replace: true,
          })
        }
        className={cn(
          'inline-flex h-[34px] items-center gap-1 rounded-sm whitespace-nowrap hover:text-ink pointer-coarse:h-11',
          isActive && 'text-ink',
        )}
      >
        {label}
        {isActive && <Arrow aria-hidden className="size-3" />}
      </button>
    </th>
  );
}
