import { Link } from '@tanstack/react-router';
import { paths } from '../../lib/paths.ts';
import { cn } from '../../lib/cn.ts';
import type { AuditRow } from '../../lib/trpc.ts';
import { CELL, HEAD } from '../../components/ui/cells.ts';
import { Moment } from '../../components/ui/moment.tsx';
import { describeAction, describeActor } from './describe-action.ts';

/** Audit entries, newest first. */
export function AuditTable({ entries, isStale }: { entries: AuditRow[]; isStale: boolean }) {
  return (
    <table className={cn('w-full', isStale && 'opacity-60')}>
      <caption className="sr-only">Actions in this account, newest first</caption>
      <thead>
        <tr className="border-b">
          <th scope="col" className={cn(HEAD, 'hidden @2xl:table-cell')}>
            Time
          </th>
          <th scope="col" className={HEAD}>
            Event
          </th>
          <th scope="col" className={cn(HEAD, 'hidden @4xl:table-cell')}>
            Action
          </th>
        </tr>
      </thead>
      <tbody className="divide-y">
        {entries.map((entry) => (
          <tr key={entry.id}>
            <td className={cn(CELL, 'hidden text-[12.5px] text-ink-2 @2xl:table-cell')}>
              <Moment iso={entry.at} />
            </td>
            <td className={cn(CELL, 'w-full max-w-0 break-words')}>
              <Actor entry={entry} /> {describeAction(entry)}
              <div className="text-[12.5px] text-ink-3 @2xl:hidden">
                <Moment iso={entry.at} />
              </div>
            </td>
            <td
              className={cn(
                CELL,
                'hidden font-mono text-[12.5px] whitespace-nowrap text-ink-3 @4xl:table-cell',
              )}
            >
              {entry.action}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Links a user's name to all of their actions. */
function Actor({ entry }: { entry: AuditRow }) {
  const { actor } = entry;
  const name = describeActor(entry);
  if (actor.kind !== 'person' && actor.kind !== 'gone') return <span className="font-medium">{name}</span>;
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
