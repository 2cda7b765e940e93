import { useQuery } from '@tanstack/react-query';
import { ChevronsUpDown } from 'lucide-react';
import { chooseAccount, useCurrentAccount } from '../../lib/current-account.ts';
import { useDisplay } from '../../lib/display.ts';
import { formatBalance, formatBalanceShort } from '../../lib/format/money.ts';
import { useSession } from '../../lib/session.ts';
import { trpc, type Account } from '../../lib/trpc.ts';
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuLabel,
  DropdownMenuRadioGroup,
  DropdownMenuRadioItem,
  DropdownMenuTrigger,
} from '../ui/dropdown-menu.tsx';

const REFRESH_MS = 30_000;

const BOX =
  'mb-2.5 flex w-full items-center gap-2 rounded-lg border bg-surface px-[9px] py-[7px] text-left font-medium';

/** The current account; a menu if the user belongs to several. */
export function AccountBox() {
  const { accounts } = useSession();
  const current = useCurrentAccount();
  if (accounts.length < 2) {
    return (
      <div className={BOX}>
        <span className="min-w-0 flex-1 truncate" title={current.name}>
          {current.name}
        </span>
        <Balance account={current} />
      </div>
    );
  }
  return (
    <DropdownMenu>
      <DropdownMenuTrigger
        aria-label={`Account: ${current.name}. Switch account`}
        className={`${BOX} hover:border-line-strong pointer-coarse:min-h-11`}
      >
        <span className="min-w-0 flex-1 truncate">{current.name}</span>
        <Balance account={current} />
        <ChevronsUpDown aria-hidden className="size-3.5 shrink-0 text-ink-3" />
      </DropdownMenuTrigger>
      <DropdownMenuContent align="start" className="w-(--radix-dropdown-menu-trigger-width) min-w-52">
        <DropdownMenuLabel>Accounts</DropdownMenuLabel>
        <DropdownMenuRadioGroup value={current.id} onValueChange={chooseAccount}>
          {accounts.map((account) => (
            <DropdownMenuRadioItem key={account.id} value={account.id}>
              {account.name}
              <span className="block text-xs text-ink-3">{account.role}</span>
            </DropdownMenuRadioItem>
          ))}
        </DropdownMenuRadioGroup>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}

/** The balance of a prepaid account, otherwise the user's role. */
function Balance({ account }: { account: Account }) {
  // The amount stays open while the user chooses how amounts are shown.
  useDisplay();
  const { data } = useQuery(
    trpc.billing.get.queryOptions({ accountId: account.id }, { refetchInterval: REFRESH_MS }),
  );
  if (data === undefined) return null;
  return (
    <small className="text-xs font-normal text-ink-3">
      {data.plan.isPrepaid ? (
        <>
          <span className="sr-only">Balance </span>
          <span title={formatBalance(data.availableNanoUsd)}>
            {formatBalanceShort(data.availableNanoUsd)}
          </span>
        </>
      ) : (
        account.role
      )}
    </small>
  );
}
