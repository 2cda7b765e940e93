import type { InvitableRole } from '@tollgate/core/people/roles';
import { ChevronDown } from 'lucide-react';
import { Button } from '../../components/ui/button.tsx';
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuRadioGroup,
  DropdownMenuRadioItem,
  DropdownMenuTrigger,
} from '../../components/ui/dropdown-menu.tsx';
import type { MemberRow } from '../../lib/trpc.ts';
import { ROLE_CHOICES, ROLE_LABELS, ROLE_RIGHTS, toInvitableRole } from './roles.ts';

/** Menu to change a member's role. */
export function RoleMenu(props: { member: MemberRow; onChoose: (role: InvitableRole) => void }) {
  const { member, onChoose } = props;
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button
          size="sm"
          variant="ghost"
          className="-ml-2.5"
          aria-label={`Role of ${member.email}: ${ROLE_LABELS[member.role]}`}
        >
          {ROLE_LABELS[member.role]}
          <ChevronDown aria-hidden className="size-3.5" />
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="start" className="w-64">
        <DropdownMenuRadioGroup
          value={member.role}
          onValueChange={(next) => {
            const role = toInvitableRole(next);
            if (role !== undefined && role !== member.role) onChoose(role);
          }}
        >
          {ROLE_CHOICES.map(({ value, label }) => (
            <DropdownMenuRadioItem key={value} value={value}>
              {label}
              <span className="block text-[12.5px] whitespace-normal text-ink-3">{ROLE_RIGHTS[value]}</span>
            </DropdownMenuRadioItem>
          ))}
        </DropdownMenuRadioGroup>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
