import { Link } from '@tanstack/react-router';
import type { PriceUsdField } from '@tollgate/core/money/price-fields';
import { typedKeys } from '@tollgate/core/runtime/typed-keys';
import { Play } from 'lucide-react';
import { paths } from '../../lib/paths.ts';
import { Button } from '../../components/ui/button.tsx';
import { CopyButton } from '../../components/ui/copy-button.tsx';
import type { Column } from '../../components/table/column.ts';
import { CAPABILITY_LABELS } from '../../lib/capability-labels.ts';
import { formatCount, formatLimit } from '../../lib/format/count.ts';
import { useHasRole } from '../../lib/current-account.ts';
import type { CatalogueModel } from '../../lib/trpc.ts';
import { CapabilityChips } from '../../components/ui/capability-chips.tsx';
import { ModelStatus } from './model-status.tsx';
import { PriceCell } from './price-cell.tsx';

const PRICE = '@max-lg:whitespace-normal';

/** Columns of the models. Narrow tables fold all except the name and the two main prices. */
export const COLUMNS: Column<CatalogueModel>[] = [
  { head: 'Model', id: 'id', kind: 'main', firstSort: 'ascending', cell: (model) => <Name model={model} /> },
  {
    head: 'Capabilities',
    from: '5xl',
    width: 'min-w-56',
    cell: (model) => <CapabilityChips model={model} />,
    folded: (model) => <FoldedDetails model={model} />,
  },
  {
    head: 'Context',
    id: 'context',
    kind: 'number',
    from: 'xl',
    firstSort: 'ascending',
    cell: ({ contextTokens }) => <Tokens count={contextTokens} />,
    folded: ({ contextTokens }) =>
      contextTokens === null ? 'Unknown context' : `${formatLimit(contextTokens)} context`,
  },
  {
    head: 'Max output',
    id: 'output-max',
    kind: 'number',
    from: '5xl',
    firstSort: 'ascending',
    cell: ({ maxOutputTokens }) => <Tokens count={maxOutputTokens} />,
  },
  {
    head: 'Input',
    id: 'input',
    kind: 'number',
    firstSort: 'ascending',
    className: PRICE,
    cell: (model) => <PriceCell model={model} of={(classes) => classes.inputUsd} />,
  },
  {
    head: 'Cached input',
    kind: 'number',
    from: '4xl',
    className: PRICE,
    cell: (model) => <PriceCell model={model} of={(classes) => classes.cacheReadUsd} />,
    folded: (model) => <FoldedCachePrices model={model} />,
  },
  {
    head: 'Cache write',
    kind: 'number',
    from: '4xl',
    className: PRICE,
    cell: (model) => (
      <>
        <PriceCell model={model} of={(classes) => classes.cacheWriteUsd} />
        {typeof model.prices?.cacheWrite1hUsd === 'string' && (
          <PriceCell model={model} of={(classes) => classes.cacheWrite1hUsd} note="1 h" />
        )}
      </>
    ),
  },
  {
    head: 'Output',
    id: 'output',
    kind: 'number',
    firstSort: 'ascending',
    className: PRICE,
    cell: (model) => <PriceCell model={model} of={(classes) => classes.outputUsd} />,
  },
  {
    head: 'Actions',
    isHeadHidden: true,
    kind: 'actions',
    from: 'lg',
    className: 'py-[5px]',
    cell: (model) => (
      <span className="flex justify-end">
        <Actions model={model} />
      </span>
    ),
    folded: (model) => (
      <div className="mt-1 -ml-2.5 flex">
        <Actions model={model} />
      </div>
    ),
  },
];

function Name({ model }: { model: CatalogueModel }) {
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="font-mono text-[12.5px] leading-5 font-medium break-all">{model.id}</span>
        <ModelStatus model={model} />
      </div>
      {model.title !== '' && model.title !== model.id && (
        <div className="text-[12.5px] text-ink-2">{model.title}</div>
      )}
    </>
  );
}

const CACHE_PRICES: Record<Exclude<PriceUsdField, 'inputUsd' | 'outputUsd'>, string> = {
  cacheReadUsd: 'Cached input',
  cacheWriteUsd: 'Cache write',
  cacheWrite1hUsd: 'Cache write (1 h)',
};

/** Cache prices for narrow tables; classes without a separate price are omitted. */
function FoldedCachePrices({ model }: { model: CatalogueModel }) {
  const own = typedKeys(CACHE_PRICES).filter((name) => typeof model.prices?.[name] === 'string');
  return own.map((name) => (
    <div key={name} className="[&_div]:ml-1.5 [&_div]:inline">
      {CACHE_PRICES[name]}
      <PriceCell model={model} of={(classes) => classes[name]} />
    </div>
  ));
}

/** Capabilities and maximum output as text, which takes less height than chips. */
function FoldedDetails({ model: { capabilities, maxOutputTokens } }: { model: CatalogueModel }) {
  const output = maxOutputTokens === null ? [] : [`${formatLimit(maxOutputTokens)} max output`];
  return [...output, ...capabilities.map((capability) => CAPABILITY_LABELS[capability])].join(' · ');
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
