import {
  BookOpen,
  Boxes,
  ChartColumn,
  CreditCard,
  House,
  Inbox,
  KeyRound,
  ListTree,
  MessageSquare,
  SlidersHorizontal,
  Users,
} from 'lucide-react';
import { Link } from '@tanstack/react-router';
import { paths } from '../../app/paths.ts';
import { useSession } from '../../lib/session.ts';
import { BrandMark } from '../ui/brand.tsx';
import { AccountBox } from './account-box.tsx';
import { PaletteButton } from './palette/palette-button.tsx';
import { OperatorLinks } from './operator-links.tsx';
import { RailLink, RailSection } from './rail-link.tsx';
import { UserMenu } from './user-menu.tsx';

/** The column at the left; on phones the sheet shows the same. `onNavigate` lets the sheet close itself. */
export function Rail({ onNavigate }: { onNavigate?: () => void }) {
  const { user, viewing, accounts, installation } = useSession();
  return (
    <>
      <div className="mb-1.5 flex items-center justify-between">
        <Link
          to={paths.overview}
          onClick={onNavigate}
          className="flex min-h-8 items-center gap-2.5 rounded-md px-2 text-[15px] font-semibold tracking-[-0.01em]"
        >
          <BrandMark />
          Tollgate
        </Link>
        {accounts.length > 0 && <PaletteButton className="max-md:hidden" />}
      </div>
      {accounts.length > 0 && <AccountBox />}
      <nav
        aria-label="Main"
        className="-mx-3 flex flex-col gap-0.5 px-3 py-0.5 md:min-h-0 md:flex-1 md:overflow-y-auto"
      >
        <RailLink to={paths.overview} icon={House} onNavigate={onNavigate}>
          Overview
        </RailLink>
        <RailLink to={paths.keys} icon={KeyRound} onNavigate={onNavigate}>
          API keys
        </RailLink>
        <RailLink to={paths.requests} icon={ListTree} onNavigate={onNavigate}>
          Requests
        </RailLink>
        <RailLink to={paths.models} icon={Boxes} onNavigate={onNavigate}>
          Models
        </RailLink>
        <RailLink to={paths.playground} icon={MessageSquare} onNavigate={onNavigate}>
          Playground
        </RailLink>
        <RailLink to={paths.usage} icon={ChartColumn} onNavigate={onNavigate}>
          Usage
        </RailLink>
        <RailLink to={paths.billing} icon={CreditCard} onNavigate={onNavigate}>
          Billing
        </RailLink>
        <RailSection>Manage</RailSection>
        <RailLink to={paths.team} icon={Users} onNavigate={onNavigate}>
          Team
        </RailLink>
        <RailLink to={paths.docs} icon={BookOpen} onNavigate={onNavigate}>
          Docs
        </RailLink>
        <RailLink to={paths.settings} icon={SlidersHorizontal} onNavigate={onNavigate}>
          Settings
        </RailLink>
        {user?.isOperator === true && viewing === null && <OperatorLinks onNavigate={onNavigate} />}
        {installation.mailbox && (
          <>
            <RailSection>This machine</RailSection>
            <RailLink to={paths.mailbox} icon={Inbox} onNavigate={onNavigate}>
              Mailbox
            </RailLink>
          </>
        )}
      </nav>
      {user !== null && <UserMenu email={user.email} />}
    </>
  );
}
