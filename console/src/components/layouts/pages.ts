import {
  BookOpen,
  Boxes,
  Building2,
  Cable,
  ChartColumn,
  CreditCard,
  Gauge,
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
  Scale,
  ScrollText,
  SlidersHorizontal,
  Tags,
  TriangleAlert,
  Users,
  type LucideIcon,
} from 'lucide-react';
import { paths } from '../../lib/paths.ts';
import { useSession } from '../../lib/session.ts';

type Path = (typeof paths)[keyof typeof paths];

interface PageLink {
  /** A page that needs no parameter. */
  to: Exclude<Path, `${string}$${string}`>;
  label: string;
  /** What else the palette finds it by. */
  words?: string;
}

export interface ConsolePage extends PageLink {
  icon: LucideIcon;
  /** Pages that are reached from it: the palette finds them too. */
  inner?: readonly PageLink[];
}

export interface PageGroup {
  /** null: the first of them needs none. */
  title: string | null;
  pages: readonly ConsolePage[];
}

const MAIN: PageGroup = {
  title: null,
  pages: [
    { to: paths.overview, icon: House, label: 'Overview', words: 'home dashboard' },
    { to: paths.keys, icon: KeyRound, label: 'API keys', words: 'secrets' },
    {
      to: paths.requests,
      icon: ListTree,
      label: 'Requests',
      words: 'log calls',
      inner: [
        { to: paths.requestSessions, label: 'Sessions', words: 'conversations turns agents' },
        { to: paths.requestErrors, label: 'Errors', words: 'failures causes' },
      ],
    },
    { to: paths.models, icon: Boxes, label: 'Models', words: 'prices' },
    {
      to: paths.connect,
      icon: Cable,
      label: 'Connect',
      words: 'agents clients setup claude code codex sdk curl',
    },
    { to: paths.playground, icon: MessageSquare, label: 'Playground', words: 'chat try' },
    { to: paths.usage, icon: ChartColumn, label: 'Usage', words: 'charts spend' },
    {
      to: paths.billing,
      icon: CreditCard,
      label: 'Billing',
      words: 'balance top up ledger receipts tax money',
      inner: [{ to: paths.statements, label: 'Statements', words: 'month invoice pdf' }],
    },
  ],
};

const MANAGE: PageGroup = {
  title: 'Manage',
  pages: [
    {
      to: paths.team,
      icon: Users,
      label: 'Team',
      words: 'members invite',
      inner: [{ to: paths.audit, label: 'Audit log of the account', words: 'changes who history' }],
    },
    { to: paths.docs, icon: BookOpen, label: 'Docs', words: 'quickstart errors limits reference help' },
    { to: paths.settings, icon: SlidersHorizontal, label: 'Settings', words: 'password email sessions' },
  ],
};

const OPERATOR: PageGroup = {
  title: 'Operator',
  pages: [
    {
      to: paths.operatorOverview,
      icon: Gauge,
      label: 'Installation',
      words: 'operator overview revenue cost margin attention',
    },
    { to: paths.operatorAccounts, icon: Building2, label: 'Accounts' },
    { to: paths.operatorProviders, icon: Plug, label: 'Providers' },
    { to: paths.operatorModels, icon: Tags, label: 'Models and prices' },
    { to: paths.operatorCosts, icon: Scale, label: 'Provider costs', words: 'drift unbilled reported' },
    { to: paths.operatorErrors, icon: TriangleAlert, label: 'Provider errors', words: 'failures attempts' },
    { to: paths.operatorPlans, icon: Layers, label: 'Plans' },
    { to: paths.operatorPayments, icon: Receipt, label: 'Payments' },
    { to: paths.operatorMails, icon: Mails, label: 'Emails' },
    {
      to: paths.operatorAudit,
      icon: ScrollText,
      label: 'Audit log',
      words: 'installation changes who operators history',
    },
    { to: paths.operatorSystem, icon: HeartPulse, label: 'System' },
  ],
};

const MACHINE: PageGroup = {
  title: 'Local',
  pages: [{ to: paths.mailbox, icon: Inbox, label: 'Mailbox' }],
};

/** Where this person can go, as the rail shows it and the palette finds it. */
export function usePages(): PageGroup[] {
  const { user, viewing, installation } = useSession();
  const isOperating = user?.isOperator === true && viewing === null;
  return [MAIN, MANAGE, ...(isOperating ? [OPERATOR] : []), ...(installation.mailbox ? [MACHINE] : [])];
}
