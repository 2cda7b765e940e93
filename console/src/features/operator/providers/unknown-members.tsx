import { Button } from '../../../components/ui/button.tsx';
import { formatCount } from '../../../lib/format/count.ts';
import { formatRelative } from '../../../lib/format/time.ts';
import { useNow } from '../../../lib/use-now.ts';
import type { UnknownMember } from '../operator-types.ts';
import type { Column } from '../../../components/table/column.ts';
import { DataTable } from '../../../components/table/data-table.tsx';

const CLOCK_MS = 30_000;

interface AllowContext {
  allowed: readonly string[];
  isPending: boolean;
  onAllow: (member: string) => void;
}

interface UnknownMembersProps extends AllowContext {
  members: readonly UnknownMember[];
}

/** Unknown fields by client, latest first. */
export function UnknownMembers({ members, ...context }: UnknownMembersProps) {
  const nowMs = useNow(CLOCK_MS);
  return (
    <DataTable
      caption="Unknown request fields"
      rows={members}
      rowKey={({ member, client }) => `${member} ${client}`}
      columns={columns(context, nowMs)}
      empty={<p className="text-ink-2">No unknown fields received.</p>}
    />
  );
}

function columns(context: AllowContext, nowMs: number): Column<UnknownMember>[] {
  const ago = (moment: string) => formatRelative(new Date(moment), nowMs);
  return [
    { head: 'Field', kind: 'main', cell: (row) => <MemberName row={row} /> },
    { head: 'Requests', kind: 'number', cell: ({ requests }) => formatCount(requests) },
    {
      head: 'First and last seen',
      from: 'xl',
      kind: 'time',
      cell: ({ firstSeenAt, lastSeenAt }) => `${ago(firstSeenAt)} – ${ago(lastSeenAt)}`,
    },
    {
      head: 'Allow',
      isHeadHidden: true,
      kind: 'actions',
      cell: ({ member }) => <AllowButton member={member} {...context} />,
    },
  ];
}

function MemberName({ row: { member, client } }: { row: UnknownMember }) {
  return (
    <>
      <code className="block truncate text-[13px]" title={member}>
        {member}
      </code>
      <span className="text-[12.5px] text-ink-3">{client}</span>
    </>
  );
}

function AllowButton({ member, allowed, isPending, onAllow }: AllowContext & { member: string }) {
  if (allowed.includes(member)) return <span className="text-[12.5px] text-ink-3">Allowed</span>;
  return (
    <Button size="sm" disabled={isPending} aria-label={`Allow ${member}`} onClick={() => onAllow(member)}>
      Allow
    </Button>
  );
}
