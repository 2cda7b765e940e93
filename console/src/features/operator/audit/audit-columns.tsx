import { describeSubject, listFieldChanges } from '@tollgate/core/audit/describe-entry';
import { describeInstallationAction } from '@tollgate/core/audit/describe-installation-action';
import { Link } from '@tanstack/react-router';
import type { Column } from '../../../components/table/column.ts';
import { Moment } from '../../../components/ui/moment.tsx';
import { paths } from '../../../lib/paths.ts';
import type { InstallationAuditRow } from '../operator-types.ts';

export const AUDIT_COLUMNS: Column<InstallationAuditRow>[] = [
  {
    head: 'Time',
    kind: 'time',
    from: '2xl',
    cell: ({ at }) => <Moment iso={at} />,
    folded: (entry) => (
      <>
        <Moment iso={entry.at} /> · <Actor entry={entry} />
      </>
    ),
  },
  {
    head: 'Event',
    kind: 'main',
    isRowHead: true,
    className: 'wrap-anywhere',
    cell: (entry) => (
      <>
        <div className="font-medium">
          {describeInstallationAction(entry.action)} <Subject entry={entry} />
        </div>
        <Changes entry={entry} />
      </>
    ),
  },
  {
    head: 'Actor',
    from: '2xl',
    className: 'whitespace-nowrap text-ink-2',
    cell: (entry) => <Actor entry={entry} />,
  },
  {
    head: 'Action',
    kind: 'code',
    from: '4xl',
    className: 'whitespace-nowrap text-ink-3',
    cell: ({ action }) => action,
  },
];

function Actor({ entry: { actorUserId, actorEmail } }: { entry: InstallationAuditRow }) {
  return actorEmail ?? (actorUserId === null ? 'Command line or system' : 'A deleted user');
}

function Subject({ entry }: { entry: InstallationAuditRow }) {
  const text = describeSubject(entry);
  const className = 'rounded-sm font-normal text-ink-2 hover:underline';
  const { accountId, accountName } = entry;
  const account = accountId !== null && (
    <Link to={paths.operatorAccount} params={{ accountId }} className={className}>
      {accountName ?? accountId}
    </Link>
  );
  if (accountId !== null && entry.subject === accountId) return account;
  return (
    <>
      <Link
        from={paths.operatorAudit}
        to={paths.operatorAudit}
        search={(current) => ({ ...current, q: entry.subject ?? undefined })}
        className={className}
        title={entry.subject ?? undefined}
      >
        {text}
      </Link>
      {account !== false && <> {account}</>}
    </>
  );
}

function Changes({ entry }: { entry: InstallationAuditRow }) {
  const changes = listFieldChanges(entry);
  if (changes.length === 0) return null;
  return (
    <ul className="mt-0.5 grid gap-0.5 text-[12.5px] text-ink-2">
      {changes.map(({ name, before, after }) => (
        <li key={name}>
          {name}:{' '}
          {before !== null && (
            <>
              <del>{before}</del> <span aria-hidden>→</span>{' '}
            </>
          )}
          {after}
        </li>
      ))}
    </ul>
  );
}
