import { Button } from '../../../components/ui/button.tsx';
import { formatCount } from '../../../lib/format/count.ts';
import { formatRelative } from '../../../lib/format/time.ts';
import { useNow } from '../../../lib/use-now.ts';
import type { UnknownMember } from '../operator-types.ts';
import { DataTable } from '../table/data-table.tsx';

const CLOCK_MS = 30_000;

interface UnknownMembersProps {
  members: readonly UnknownMember[];
  allowed: readonly string[];
  isPending: boolean;
  onAllow: (member: string) => void;
}

/** Members that arrived, by client, the latest first. */
export function UnknownMembers({ members, allowed, isPending, onAllow }: UnknownMembersProps) {
  const nowMs = useNow(CLOCK_MS);
  if (members.length === 0) return <p className="text-ink-2">No unknown members have arrived.</p>;
  return (
    <DataTable
      caption="Unknown request members"
      rows={members}
      rowKey={({ member, client }) => `${member} ${client}`}
      columns={[
        {
          head: 'Member',
          className: 'w-full max-w-0',
          cell: ({ member, client }) => (
            <>
              <code className="block truncate text-[13px]" title={member}>
                {member}
              </code>
              <span className="text-[12.5px] text-ink-3">{client}</span>
            </>
          ),
        },
        { head: 'Requests', isRight: true, cell: ({ requests }) => formatCount(requests) },
        {
          head: 'First and last seen',
          from: 'medium',
          className: 'whitespace-nowrap text-[12.5px] text-ink-2',
          cell: ({ firstSeenAt, lastSeenAt }) =>
            `${formatRelative(new Date(firstSeenAt), nowMs)} – ${formatRelative(new Date(lastSeenAt), nowMs)}`,
        },
        {
          head: 'Allow',
          isHeadHidden: true,
          isRight: true,
          cell: ({ member }) =>
            allowed.includes(member) ? (
              <span className="text-[12.5px] text-ink-3">Allowed</span>
            ) : (
              <Button
                size="sm"
                disabled={isPending}
                aria-label={`Allow ${member}`}
                onClick={() => onAllow(member)}
              >
                Allow
              </Button>
            ),
        },
      ]}
    />
  );
}
