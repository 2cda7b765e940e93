import type { ReactNode } from 'react';
import { Link } from '@tanstack/react-router';
import { paths } from '../../lib/paths.ts';
import type { AuditRow } from '../../lib/trpc.ts';
import type { Column } from '../../components/table/column.ts';
import { DataTable } from '../../components/table/data-table.tsx';
import { Moment } from '../../components/ui/moment.tsx';
import { describeAction, describeActor } from './describe-action.ts';
import type { useAudit } from './use-audit.ts';

interface AuditTableProps {
  list: ReturnType<typeof useAudit>;
  empty: ReactNode;
}

/** Audit entries, newest first. */
export function AuditTable({ list, empty }: AuditTableProps) {
  return (
    <DataTable
      list={list}
      failure="The log could not be loaded"
      caption="Actions in this account, newest first"
      columns={COLUMNS}
      rows={list.data?.pages.flatMap((page) => page.entries) ?? []}
      rowKey={({ id }) => id}
      empty={empty}
    />
  );
}

const COLUMNS: Column<AuditRow>[] = [
  {
    head: 'Time',
    kind: 'time',
    from: '2xl',
    cell: ({ at }) => <Moment iso={at} />,
    folded: ({ at }) => <Moment iso={at} />,
  },
  {
    head: 'Event',
    kind: 'main',
    isRowHead: true,
    className: 'break-words',
    cell: (entry) => (
      <>
        <Actor entry={entry} /> {describeAction(entry)}
      </>
    ),
  },
  {
    head: 'Action',
    kind: 'code',
    from: '4xl',
    className: 'whitespace-nowrap text-ink-3',
    cell: ({ action }) => action,
  },
];

/** Links a user's name to all of their actions. */
function Actor({ entry }: { entry: AuditRow }) {
  const { actor } = entry;
  const name = describeActor(entry);
  if (actor.kind !== 'person' && actor.kind !== 'deleted_user')
    return <span className="font-medium">{name}</span>;
  return (
    <Link
      to={paths.audit}
      search={(current) => ({ ...current, person: actor.userId })}
      className="rounded-sm font-medium hover:underline"
    >
      {name}
    </Link>
  );
}
