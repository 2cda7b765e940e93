import type { Role } from '@tollgate/core/people/roles';
import { Crown, Ellipsis, LogOut, UserMinus } from 'lucide-react';
import { Button } from '../../components/ui/button.tsx';
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from '../../components/ui/dropdown-menu.tsx';
import { useIsViewing } from '../../lib/session.ts';
import type { MemberRow } from '../../lib/trpc.ts';
import { canChange } from './roles.ts';

export type MemberAction = 'remove' | 'transfer' | 'leave';

/** Button that gets the focus when the dialog closes. */
export const memberMenuId = (userId: string) => `member-menu-${userId}`;

interface MemberMenuProps {
  me: { userId: string; role: Role };
  member: MemberRow;
  onAction: (action: MemberAction) => void;
}

export function MemberMenu({ me, member, onAction }: MemberMenuProps) {
  const isMe = member.userId === me.userId;
  const isViewing = useIsViewing();
  const canLeave = isMe && me.role !== 'owner' && !isViewing;
  const canTransfer = me.role === 'owner' && !isMe;
  const canRemove = canChange(me, member);
  if (!canLeave && !canTransfer && !canRemove) return null;
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button
          id={memberMenuId(member.userId)}
          variant="ghost"
          size="icon"
          aria-label={`Actions for ${member.email}`}
        >
          <Ellipsis aria-hidden className="size-4" />
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="end">
        {canTransfer && (
          <DropdownMenuItem onSelect={() => onAction('transfer')}>
            <Crown aria-hidden className="size-4" /> Make owner…
          </DropdownMenuItem>
        )}
        {canRemove && (
          <DropdownMenuItem isDanger onSelect={() => onAction('remove')}>
            <UserMinus aria-hidden className="size-4" /> Remove…
          </DropdownMenuItem>
        )}
        {canLeave && (
          <DropdownMenuItem isDanger onSelect={() => onAction('leave')}>
            <LogOut aria-hidden className="size-4" /> Leave account…
          </DropdownMenuItem>
        )}
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
