import type { Column } from '../../../components/table/column.ts';
import { DataTable } from '../../../components/table/data-table.tsx';
import { formatCount } from '../../../lib/format/count.ts';
import { formatCost, formatPrice } from '../../../lib/format/money.ts';
import type { RequestDetail } from '../../../lib/trpc.ts';
import { PriceVersion } from './price-version.tsx';
import { Section } from './section.tsx';

type Cost = NonNullable<RequestDetail['cost']>;

type CostLine = Cost['lines'][number];

const CLASS_LABELS: Record<Extract<CostLine['of'], { kind: 'tokens' }>['tokenClass'], string> = {
  input: 'input',
  cache_read: 'cached',
  cache_write: 'cache write',
  cache_write_1h: 'cache write (1 h)',
  output: 'output',
  audio_input: 'audio input',
  audio_output: 'audio output',
  image_input: 'image input',
  image_output: 'image output',
};
const TOOL_LABELS: Record<Extract<CostLine['of'], { kind: 'tool_calls' }>['tool'], string> = {
  web_search: 'web search',
  web_search_preview: 'web search (preview)',
  web_fetch: 'web fetch',
  code_execution: 'code execution',
  file_search: 'file search',
  image_generation: 'image generation',
};
const PPM_PER_PERCENT = 10_000;

interface BillLine {
  name: string;
  amount: string;
}

const COLUMNS: Column<BillLine>[] = [
  { head: 'Line', className: 'text-ink-2 in-[tfoot]:text-ink', cell: ({ name }) => name },
  { head: 'Amount', kind: 'money', className: 'break-all whitespace-normal', cell: ({ amount }) => amount },
];

/** Cost breakdown. The lines add up to the exact charge. */
export function CostTable({ request }: { request: RequestDetail }) {
  const { cost, isOpen } = request;
  return (
    <Section title="Cost breakdown">
      {cost === null && <p className="text-[13px] text-ink-2">{explainAbsence(request)}</p>}
      {(cost !== null || !isOpen) && (
        <DataTable
          caption={cost === null ? 'The cost' : 'Cost by line'}
          header="hidden"
          density="plain"
          columns={COLUMNS}
          rows={cost === null ? [] : listLines(cost)}
          // Lines never change and may be identical, so the index is a stable key.
          rowKey={(_, index) => String(index)}
          foot={[getTotal(request)]}
        />
      )}
      {cost !== null && (
        <>
          <BillNotes request={request} cost={cost} />
          <PriceVersion cost={cost} />
        </>
      )}
      {request.operatorCostNanoUsd !== null && request.operatorCostNanoUsd !== '0' && (
        <p className="mt-2 text-[12.5px] text-warn">
          Unbilled cost: providers may charge you up to {formatCost(request.operatorCostNanoUsd)} more.
        </p>
      )}
    </Section>
  );
}

/** Notes on a charge: terms, missing rates and the cost that the provider reports. */
function BillNotes({ request, cost }: { request: RequestDetail; cost: Cost }) {
  const { priceMismatch, reportedCostNanoUsd } = request;
  const notes = [
    ...describeTerms(cost.terms),
    ...(cost.missing.length > 0 ? [`Missing rates: ${cost.missing.join(', ')}.`] : []),
    ...(priceMismatch === null ? [] : [`Served with different terms than priced: ${priceMismatch}.`]),
    ...(reportedCostNanoUsd === null ? [] : [`The provider reports ${formatCost(reportedCostNanoUsd)}.`]),
  ];
  if (notes.length === 0) return null;
  return (
    <ul className="mt-2 text-[12.5px] text-ink-2">
      {notes.map((note) => (
        <li key={note}>{note}</li>
      ))}
    </ul>
  );
}

function describeTerms(terms: Cost['terms']): string[] {
  if (terms === null) return [];
  const named = [
    ['service tier', terms.serviceTier],
    ['speed', terms.speed],
    ['region', terms.inferenceGeo],
  ].flatMap(([label, name]) => (name === null ? [] : [`${label} ${name}`]));
  return named.length === 0 ? [] : [`Billed at the rates of ${named.join(', ')}.`];
}

function describeLine({ of, model, quantity, rateUsd }: CostLine): string {
  const by = model === null ? '' : `${model}: `;
  if (of.kind === 'tokens')
    return `${by}${formatCount(quantity)} ${CLASS_LABELS[of.tokenClass]} × ${formatPrice(rateUsd)} / M`;
  const calls = quantity === 1 ? 'call' : 'calls';
  return `${by}${formatCount(quantity)} ${TOOL_LABELS[of.tool]} ${calls} × ${formatPrice(rateUsd)} / 1,000`;
}

function listLines(cost: Cost): BillLine[] {
  const lines = cost.lines.map((line) => ({ name: describeLine(line), usd: line.amountUsd }));
  const changes = [
    { name: cost.isOwn ? OWN_CREDENTIAL : describePlan(cost.multiplierPpm), usd: cost.planUsd },
    { name: 'Rounded up to a nano-dollar', usd: cost.roundingUsd },
    { name: describeCap(cost.cappedUsd), usd: cost.cappedUsd },
  ];
  return [...lines, ...changes.filter(({ usd }) => isSome(usd))].map(({ name, usd }) => ({
    name,
    amount: signed(usd),
  }));
}

function getTotal({ chargesBalance, costNanoUsd }: RequestDetail): BillLine {
  return {
    name: chargesBalance ? 'Charged' : 'Cost',
    amount: formatCost(costNanoUsd),
  };
}

function explainAbsence({ isOpen, heldNanoUsd, costNanoUsd }: RequestDetail): string {
  if (isOpen) return `The cost is known when this request ends. It is at most ${formatCost(heldNanoUsd)}.`;
  if (costNanoUsd === '0') return 'Never reached a provider; not charged.';
  return 'The price version is missing, so the cost cannot be broken down.';
}

/** The provider bills the account. */
const OWN_CREDENTIAL = 'Own credential: only the fee of the plan';

function describePlan(multiplierPpm: number): string {
  const percent = (multiplierPpm / PPM_PER_PERCENT - 100).toFixed(4).replace(/\.?0+$/, '');
  return `Plan: ${percent.startsWith('-') ? `−${percent.slice(1)}` : `+${percent}`}%`;
}

function describeCap(usd: string): string {
  return usd.startsWith('-') ? 'Above the maximum: not charged' : 'Correction';
}

function isSome(usd: string): boolean {
  return /[1-9]/.test(usd);
}

function signed(usd: string): string {
  return usd.startsWith('-') ? `−$${usd.slice(1)}` : `$${usd}`;
}
