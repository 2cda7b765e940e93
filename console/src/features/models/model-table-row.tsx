import { Link } from '@tanstack/react-router';
import type { PriceUsdField } from '@tollgate/core/money/price-fields';
import { keysOf } from '@tollgate/core/runtime/keys-of';
import { Play } from 'lucide-react';
import { paths } from '../../lib/paths.ts';
import { Button } from '../../components/ui/button.tsx';
import { CopyButton } from '../../components/ui/copy-button.tsx';
import { cn } from '../../lib/cn.ts';
import { formatCount, formatLimit } from '../../lib/format/count.ts';
import { useHasRole } from '../../lib/current-account.ts';
import type { CatalogueModel } from '../../lib/trpc.ts';
import { CapabilityChips } from '../../components/ui/capability-chips.tsx';
import { COLUMNS, FOLDED } from './columns.ts';
import { ModelStatus } from './model-status.tsx';
import { PriceCell } from './price-cell.tsx';

const CELL = 'px-3.5 py-[11px] align-top @max-md:px-2.5';
const NUMBER = cn(CELL, 'text-right whitespace-nowrap @max-lg:whitespace-normal');

export function ModelTableRow({ model }: { model: CatalogueModel }) {
  const { prices } = model;
  return (
    <tr>
      <th scope="row" className={cn(CELL, 'w-full max-w-0 min-w-36 text-left font-normal')}>
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="font-mono text-[12.5px] leading-5 font-medium break-all">{model.id}</span>
          <ModelStatus model={model} />
        </div>
        {model.title !== '' && model.title !== model.id && (
          <div className="text-[12.5px] text-ink-2">{model.title}</div>
        )}
        <div className={cn('text-[12.5px] text-ink-2', FOLDED.context)}>
          {model.contextTokens === null ? 'Unknown context' : `${formatLimit(model.contextTokens)} context`}
        </div>
        <FoldedCachePrices prices={prices} />
        <CapabilityChips model={model} className={cn('mt-1', FOLDED.capabilities)} />
        <div className={cn('mt-1 -ml-2.5 flex', FOLDED.actions)}>
          <Actions model={model} />
        </div>
      </th>
      <td className={cn(CELL, COLUMNS.capabilities, 'min-w-56')}>
        <CapabilityChips model={model} />
      </td>
      <td className={cn(NUMBER, COLUMNS.context)}>
        <Tokens count={model.contextTokens} />
      </td>
      <td className={cn(NUMBER, COLUMNS.maxOutput)}>
        <Tokens count={model.maxOutputTokens} />
      </td>
      <td className={NUMBER}>
        <PriceCell prices={prices} of={(classes) => classes.inputUsd} />
      </td>
      <td className={cn(NUMBER, COLUMNS.cache)}>
        <PriceCell prices={prices} of={(classes) => classes.cacheReadUsd} />
      </td>
      <td className={cn(NUMBER, COLUMNS.cache)}>
        <PriceCell prices={prices} of={(classes) => classes.cacheWriteUsd} />
        {typeof prices?.cacheWrite1hUsd === 'string' && (
          <PriceCell prices={prices} of={(classes) => classes.cacheWrite1hUsd} note="1 h" />
        )}
      </td>
      <td className={NUMBER}>
        <PriceCell prices={prices} of={(classes) => classes.outputUsd} />
      </td>
      <td className={cn(CELL, COLUMNS.actions, 'py-[5px] whitespace-nowrap')}>
        <span className="flex justify-end">
          <Actions model={model} />
        </span>
      </td>
    </tr>
  );
}

const CACHE_PRICES: Record<Exclude<PriceUsdField, 'inputUsd' | 'outputUsd'>, string> = {
  cacheReadUsd: 'Cached input',
  cacheWriteUsd: 'Cache write',
  cacheWrite1hUsd: 'Cache write (1 h)',
};

/** Cache prices for narrow tables; classes without a separate price are omitted. */
function FoldedCachePrices({ prices }: Pick<CatalogueModel, 'prices'>) {
  const own = keysOf(CACHE_PRICES).filter((name) => typeof prices?.[name] === 'string');
  return own.map((name) => (
    <div key={name} className={cn('text-[12.5px] text-ink-2 [&_div]:ml-1.5 [&_div]:inline', FOLDED.cache)}>
      {CACHE_PRICES[name]}
      <PriceCell prices={prices} of={(classes) => classes[name]} />
    </div>
  ));
}

function Tokens({ count }: { count: number | null }) {
  if (count === null) return <NotKnown />;
  return <span title={`${formatCount(count)} tokens`}>{formatLimit(count)}</span>;
}

function NotKnown() {
  return (
    <span className="text-ink-3">
      <span aria-hidden>–</span>
      <span className="sr-only">Unknown</span>
    </span>
  );
}

function Actions({ model }: { model: CatalogueModel }) {
  const mayTry = useHasRole('member');
  const isTriable =
    mayTry && model.availability === 'available' && !model.capabilities.includes('embeddings');
  return (
    <>
      {isTriable && (
        <Button asChild variant="ghost" size="sm">
          <Link to={paths.playground} search={{ model: model.id }} aria-label={`Try ${model.id}`}>
            <Play aria-hidden className="size-3.5" />
            Try
          </Link>
        </Button>
      )}
      <CopyButton
        text={model.id}
        label={`Copy model ID ${model.id}`}
        isIconOnly
        variant="ghost"
        size="icon"
      />
    </>
  );
}
