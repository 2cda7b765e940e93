import { hasRole, INVITABLE_ROLES, type InvitableRole, type Role } from '@tollgate/core/people/roles';
import type { MemberRow } from '../../lib/trpc.ts';

export const ROLE_LABELS: Record<Role, string> = {
  owner: 'Owner',
  admin: 'Admin',
  member: 'Member',
  viewer: 'Viewer',
};

/** Permissions per role. */
export const ROLE_RIGHTS: Record<Role, string> = {
  owner: 'Full access; can transfer ownership',
  admin: 'Manages keys, members and billing',
  member: 'Creates and revokes keys',
  viewer: 'Views keys, usage and balance',
};

export const ROLE_CHOICES = INVITABLE_ROLES.map((value) => ({ value, label: ROLE_LABELS[value] }));

export function toInvitableRole(value: string): InvitableRole | undefined {
  return INVITABLE_ROLES.find((known) => known === value);
}

/** Same rule as on the server. */
export function canChange(me: { userId: string; role: Role }, member: MemberRow): boolean {
  return hasRole(me.role, 'admin') && member.role !== 'owner' && member.userId !== me.userId;
}
