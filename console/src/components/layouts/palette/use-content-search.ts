import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { maskSearchText, SEARCH_TEXT_MIN } from '@tollgate/core/search/search-text';
import {
  Boxes,
  Building2,
  KeyRound,
  ListTree,
  Plug,
  Receipt,
  UserRound,
  type LucideIcon,
} from 'lucide-react';
import { paths } from '../../../lib/paths.ts';
import { useSession } from '../../../lib/session.ts';
import { trpc, type Account, type SearchHit } from '../../../lib/trpc.ts';
import { useSettled } from '../../../lib/use-settled.ts';
import type { PaletteGroup, PaletteItem } from './palette-item.ts';

const SETTLE_MS = 200;
/** Each search of all accounts is recorded, so it starts later. */
const SETTLE_EVERYWHERE_MS = 500;
const FRESH_MS = 30_000;

export interface ContentSearch {
  items: PaletteItem[];
  isPending: boolean;
  /** null: no search failed. */
  error: unknown;
  retry: () => void;
}

/** Content of the account, and for operators of all accounts, that the server finds by the typed text. */
export function useContentSearch(account: Account | null, typed: string): ContentSearch {
  const { user } = useSession();
  const accountId = account?.id ?? '';
  const text = maskSearchText(typed);
  const settled = useSettled(text, SETTLE_MS);
  const settledLonger = useSettled(text, SETTLE_EVERYWHERE_MS);
  const isLongEnough = text.length >= SEARCH_TEXT_MIN;
  const mayFindOwn = isLongEnough && account !== null;
  const mayFindAll = isLongEnough && user?.isOperator === true;
  const own = useQuery(
    trpc.search.find.queryOptions(
      { accountId, text: settled },
      { enabled: mayFindOwn && settled === text, staleTime: FRESH_MS },
    ),
  );
  const all = useQuery(
    trpc.operator.search.find.queryOptions(
      { text: settledLonger },
      { enabled: mayFindAll && settledLonger === text, staleTime: FRESH_MS },
    ),
  );
  const openOwn = useOpenOwn();
  const openAny = useOpenAny();
  const ownHits = mayFindOwn && settled === text ? (own.data?.hits ?? []) : [];
  const allHits = mayFindAll && settledLonger === text ? (all.data?.hits ?? []) : [];
  const foreignHits = allHits.filter((hit) => hit.account?.id !== accountId || hit.kind === 'account');
  return {
    items: [
      ...ownHits.map((hit) => toItem(OWN_GROUPS[hit.kind] ?? 'Requests', hit, hit.detail, openOwn)),
      ...foreignHits.map((hit) => {
        const item = toItem('All accounts', hit, describeForeign(hit), openAny);
        // A member of several accounts is found once for each.
        return { ...item, id: `${hit.kind} ${hit.id} ${hit.account?.id ?? ''}` };
      }),
    ],
    isPending:
      (mayFindOwn && (settled !== text || own.isPending)) ||
      (mayFindAll && (settledLonger !== text || all.isPending)),
    error: (mayFindOwn ? own.error : null) ?? (mayFindAll ? all.error : null),
    retry: () => {
      if (own.isError) void own.refetch();
      if (all.isError) void all.refetch();
    },
  };
}

const OWN_GROUPS: Partial<Record<SearchHit['kind'], PaletteGroup>> = {
  request: 'Requests',
  key: 'Keys',
  payment: 'Payments',
  member: 'Members',
};

const ICONS: Record<SearchHit['kind'], LucideIcon> = {
  request: ListTree,
  key: KeyRound,
  account: Building2,
  member: UserRound,
  payment: Receipt,
  model: Boxes,
  provider: Plug,
};

const KIND_LABELS: Record<SearchHit['kind'], string> = {
  request: 'Request',
  key: 'Key',
  account: 'Account',
  member: 'Member',
  payment: 'Payment',
  model: 'Model',
  provider: 'Provider',
};

function describeForeign({ kind, label: name, account }: SearchHit): string {
  const label = KIND_LABELS[kind];
  // New accounts have the email of their owner as name.
  return account === null || account.name === name ? label : `${label} of ${account.name}`;
}

function toItem(
  group: PaletteGroup,
  hit: SearchHit,
  hint: string,
  open: (hit: SearchHit) => void,
): PaletteItem {
  const { kind, id, label } = hit;
  return { id, group, label, hint, icon: ICONS[kind], isFound: true, run: () => open(hit) };
}

function useOpenOwn(): (hit: SearchHit) => void {
  const navigate = useNavigate();
  return ({ kind, id }) => {
    if (kind === 'request') void navigate({ to: paths.requests, search: { request: id } });
    else if (kind === 'key') void navigate({ to: paths.key, params: { keyId: id } });
    else if (kind === 'payment') void navigate({ to: paths.billing, search: { tab: 'payments' } });
    else if (kind === 'member') void navigate({ to: paths.team });
  };
}

/** Requests and keys of accounts open after the operator gives a reason for viewing the account. */
function useOpenAny(): (hit: SearchHit) => void {
  const navigate = useNavigate();
  return ({ kind, id, account }) => {
    if (kind === 'provider') void navigate({ to: paths.operatorProviders });
    else if (kind === 'model') void navigate({ to: paths.operatorModel, params: { modelId: id } });
    else if (kind === 'payment') void navigate({ to: paths.operatorPayment, params: { paymentId: id } });
    else if (account !== null) {
      const search = kind === 'request' ? { request: id } : kind === 'key' ? { key: id } : {};
      void navigate({ to: paths.operatorAccount, params: { accountId: account.id }, search });
    }
  };
}
