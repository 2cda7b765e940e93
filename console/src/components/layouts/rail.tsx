import {
  BookOpen,
  Boxes,
  Building2,
  ChartColumn,
  CreditCard,
  HeartPulse,
  House,
  Inbox,
  KeyRound,
  Layers,
  ListTree,
  Mails,
  MessageSquare,
  Plug,
  Receipt,
  SlidersHorizontal,
  Tags,
  Users,
} from 'lucide-react';
import { Link } from '@tanstack/react-router';
import { paths } from '../../app/paths.ts';
import { useSession } from '../../lib/session.ts';
import { BrandMark } from '../ui/brand.tsx';
import { AccountBox } from './account-box.tsx';
import { PaletteButton } from './palette/palette-button.tsx';
import { RailLinks, type RailPage } from './rail-link.tsx';
import { UserMenu } from './user-menu.tsx';

const MAIN: readonly RailPage[] = [
  { to: paths.overview, icon: House, label: 'Overview' },
  { to: paths.keys, icon: KeyRound, label: 'API keys' },
  { to: paths.requests, icon: ListTree, label: 'Requests' },
  { to: paths.models, icon: Boxes, label: 'Models' },
  { to: paths.playground, icon: MessageSquare, label: 'Playground' },
  { to: paths.usage, icon: ChartColumn, label: 'Usage' },
  { to: paths.billing, icon: CreditCard, label: 'Billing' },
];

const MANAGE: readonly RailPage[] = [
  { to: paths.team, icon: Users, label: 'Team' },
  { to: paths.docs, icon: BookOpen, label: 'Docs' },
  { to: paths.settings, icon: SlidersHorizontal, label: 'Settings' },
];

/** What only those see who run the installation. */
const OPERATOR: readonly RailPage[] = [
  { to: paths.operatorAccounts, icon: Building2, label: 'Accounts' },
  { to: paths.operatorProviders, icon: Plug, label: 'Providers' },
  { to: paths.operatorModels, icon: Tags, label: 'Models and prices' },
  { to: paths.operatorPlans, icon: Layers, label: 'Plans' },
  { to: paths.operatorPayments, icon: Receipt, label: 'Payments' },
  { to: paths.operatorMails, icon: Mails, label: 'Mails' },
  { to: paths.operatorSystem, icon: HeartPulse, label: 'System' },
];

const MACHINE: readonly RailPage[] = [{ to: paths.mailbox, icon: Inbox, label: 'Mailbox' }];

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
        <RailLinks pages={MAIN} onNavigate={onNavigate} />
        <RailLinks title="Manage" pages={MANAGE} onNavigate={onNavigate} />
        {user?.isOperator === true && viewing === null && (
          <RailLinks title="Operator" pages={OPERATOR} onNavigate={onNavigate} />
        )}
        {installation.mailbox && <RailLinks title="This machine" pages={MACHINE} onNavigate={onNavigate} />}
      </nav>
      {user !== null && <UserMenu email={user.email} />}
    </>
  );
}
