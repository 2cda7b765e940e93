import { Link } from '@tanstack/react-router';
import { paths } from '../../lib/paths.ts';
import { Button } from '../../components/ui/button.tsx';
import { Card } from '../../components/ui/card.tsx';
import type { Account } from '../../lib/trpc.ts';

interface AccountCardProps {
  account: Account;
  /** Absent without permission. */
  onRename: (() => void) | null;
}

/** Name and actions of the account. */
export function AccountCard({ account, onRename }: AccountCardProps) {
  return (
    <Card className="flex flex-wrap items-center gap-3 px-3.5 py-3">
      <div className="min-w-0 flex-1 basis-52">
        <div className="text-xs text-ink-3">Account</div>
        <div className="truncate font-medium" title={account.name}>
          {account.name}
        </div>
      </div>
      {onRename !== null && (
        <div className="flex gap-2">
          <Button size="sm" asChild>
            <Link to={paths.audit}>Audit log</Link>
          </Button>
          <Button size="sm" onClick={onRename}>
            Rename…
          </Button>
        </div>
      )}
    </Card>
  );
}
