import { CreditCard, Inbox, KeyRound, SlidersHorizontal, type LucideIcon } from 'lucide-react';
import { Link } from '@tanstack/react-router';
import { paths } from '../../app/paths.ts';
import { useSession } from '../../lib/session.ts';
import { BrandMark } from '../ui/brand.tsx';
import { AccountBox } from './account-box.tsx';
import { UserMenu } from './user-menu.tsx';

/** The column at the left; on phones the sheet shows the same. `onNavigate` lets the sheet close itself. */
export function Rail({ onNavigate }: { onNavigate?: () => void }) {
  const { user, installation } = useSession();
  return (
    <>
      <Link
        to={paths.keys}
        onClick={onNavigate}
        className="mb-1.5 flex min-h-8 items-center gap-2.5 self-start rounded-md px-2 text-[15px] font-semibold tracking-[-0.01em]"
      >
        <BrandMark />
        Tollgate
      </Link>
      {user !== null && <AccountBox />}
      <nav aria-label="Main" className="flex flex-col gap-0.5">
        <RailLink to={paths.keys} icon={KeyRound} onNavigate={onNavigate}>
          API keys
        </RailLink>
        <RailLink to={paths.billing} icon={CreditCard} onNavigate={onNavigate}>
          Billing
        </RailLink>
        <RailSection>Manage</RailSection>
        <RailLink to={paths.settings} icon={SlidersHorizontal} onNavigate={onNavigate}>
          Settings
        </RailLink>
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

interface RailLinkProps {
  to: typeof paths.keys | typeof paths.billing | typeof paths.settings | typeof paths.mailbox;
  icon: LucideIcon;
  onNavigate: (() => void) | undefined;
  children: string;
}

function RailLink({ to, icon: Icon, onNavigate, children }: RailLinkProps) {
  return (
    <Link
      to={to}
      onClick={onNavigate}
      className="group flex h-8 items-center gap-2.5 rounded-md px-[9px] text-ink-2 hover:text-ink data-[status=active]:bg-sunken data-[status=active]:font-medium data-[status=active]:text-ink pointer-coarse:h-11"
    >
      <Icon
        aria-hidden
        strokeWidth={1.8}
        className="size-4 text-ink-3 group-data-[status=active]:text-accent"
      />
      {children}
    </Link>
  );
}

function RailSection({ children }: { children: string }) {
  return <div className="px-[9px] pt-3.5 pb-1 text-[11px]/4 tracking-[0.04em] text-ink-3">{children}</div>;
}
