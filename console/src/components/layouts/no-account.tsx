import { Link } from '@tanstack/react-router';
import { UserX } from 'lucide-react';
import { paths } from '../../lib/paths.ts';
import { useSession } from '../../lib/session.ts';
import { Card } from '../ui/card.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { TEXT_LINK } from '../ui/text-link.ts';
import { InvitationsBanner } from './invitations-banner.tsx';
import { PageHeader } from './page-header.tsx';

/** For a login whose last account was left, or was taken away. */
export function NoAccount() {
  const { user } = useSession();
  return (
    <>
      <InvitationsBanner />
      <PageHeader title="No account" />
      <Card>
        <EmptyState icon={UserX} title="You are not a member of any account">
          You need an account to create API keys. Ask a member to invite{' '}
          <b className="font-medium break-all text-ink">{user?.email}</b>. Your{' '}
          <Link to={paths.settings} className={TEXT_LINK}>
            settings
          </Link>{' '}
          are still available.
        </EmptyState>
      </Card>
    </>
  );
}
