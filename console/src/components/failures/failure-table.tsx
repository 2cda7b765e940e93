import { explainCode } from '@tollgate/core/errors/explain-code';
import { SearchX } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatCount } from '../../lib/format/count.ts';
import { describeOutcome } from '@tollgate/core/requests/describe-outcome';
import type { FailureGroup } from '../../lib/trpc.ts';
import type { Column } from '../table/column.ts';
import { DataTable } from '../table/data-table.tsx';
import { Chip } from '../ui/chip.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';

interface FailureTableProps {
  groups: readonly FailureGroup[];
  nowMs: number;
  reader: 'caller' | 'operator';
  /** Shown if there are no failures. */
  emptyText: string;
  /** Links to the newest request of a group. */
  renderExample: (group: FailureGroup) => ReactNode;
  isStale: boolean;
}

/** Failures grouped by cause, the most frequent first. */
export function FailureTable({ groups, emptyText, isStale, ...props }: FailureTableProps) {
  return (
    <DataTable
      caption="Failures by cause"
      columns={getColumns(props)}
      rows={groups}
      rowKey={(group, index) => `${index} ${group.code} ${group.exampleId}`}
      align="top"
      isStale={isStale}
      empty={
        <EmptyState icon={SearchX} title="No failures">
          {emptyText}
        </EmptyState>
      }
    />
  );
}

function getColumns(
  props: Pick<FailureTableProps, 'nowMs' | 'reader' | 'renderExample'>,
): Column<FailureGroup>[] {
  const { nowMs, reader, renderExample } = props;
  const seen = (iso: string) => <RelativeTime iso={iso} nowMs={nowMs} never="never" />;
  return [
    {
      head: 'Failures',
      kind: 'number',
      width: 'w-[84px]',
      className: 'font-medium',
      cell: ({ failures }) => formatCount(failures),
    },
    {
      head: 'Cause',
      isRowHead: true,
      className: 'min-w-0',
      cell: (group) => <Cause group={group} reader={reader} />,
    },
    {
      head: 'Models',
      from: '4xl',
      width: 'w-[170px]',
      className: 'text-[13px] wrap-anywhere text-ink-2',
      cell: ({ models }) => models.join(', '),
    },
    {
      head: 'First seen',
      kind: 'time',
      from: '3xl',
      width: 'w-[120px]',
      cell: ({ firstAt }) => seen(firstAt),
    },
    {
      head: 'Last seen',
      kind: 'time',
      from: '2xl',
      width: 'w-[120px]',
      cell: ({ lastAt }) => seen(lastAt),
      folded: ({ lastAt }) => <div className="mt-1 text-[12.5px] text-ink-3">Last seen {seen(lastAt)}</div>,
    },
    {
      head: 'Example',
      from: 'xl',
      width: 'w-[132px]',
      cell: renderExample,
      folded: (group) => <div className="mt-1">{renderExample(group)}</div>,
    },
  ];
}

/** What happened, what the provider or the gateway said, and what to do. */
function Cause({ group, reader }: { group: FailureGroup; reader: FailureTableProps['reader'] }) {
  const { code, errorType, message, provider, answered, failures } = group;
  const advice = explainCode(code)?.[reader] ?? adviseAttempt(code);
  return (
    <div className="grid gap-1 py-0.5 whitespace-normal">
      <div className="flex flex-wrap items-center gap-2">
        <Chip tone="bad">{explainCode(code) === null ? describeOutcome(code) : code}</Chip>
        {errorType !== null && <code className="font-mono text-[12.5px] break-all">{errorType}</code>}
        {provider !== null && <span className="text-[13px] text-ink-2">{provider}</span>}
      </div>
      {message !== null && <p className="font-normal wrap-anywhere">{message}</p>}
      <p className="text-[13px] font-normal text-ink-2">{advice}</p>
      {answered > 0 && (
        <p className="text-[13px] font-normal text-ink-2">
          {answered === failures ? 'All' : formatCount(answered)} of these requests were answered by another
          attempt.
        </p>
      )}
    </div>
  );
}

/** What an operator can do about a failed attempt. */
function adviseAttempt(outcome: string): string {
  switch (outcome) {
    case 'status_401':
    case 'status_402':
    case 'status_403':
    case 'misconfigured':
      return 'Check the credential and the credit of the gateway at the provider.';
    case 'status_429':
      return 'The provider limits the gateway. Raise the limit there, add a credential, or add a route.';
    case 'timeout':
    case 'first_token_timeout':
      return 'The provider is slow. Raise its timeouts if the model needs it, or add a route.';
    case 'dns':
    case 'connect':
    case 'tls':
      return 'The provider cannot be reached. Test it on the Providers page.';
    case 'stale':
    case 'cut':
      return 'The provider closed the connection. If this continues, ask the provider, or add a route.';
    case 'unreadable':
    case 'protocol':
      return 'The provider sent no valid response. Check its base URL and its API format.';
    default:
      return outcome.startsWith('status_4')
        ? 'The provider rejected the requests. Check the upstream model of the route.'
        : 'The provider failed. If this continues, add a route to another provider.';
  }
}
