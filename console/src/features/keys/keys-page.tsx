import { useState } from 'react';
import { useSearch } from '@tanstack/react-router';
import { PageHeader } from '../../components/layouts/page-header.tsx';
import { Card } from '../../components/ui/card.tsx';
import { ErrorState } from '../../components/ui/error-state.tsx';
import { useCurrentAccount, useHasRole } from '../../lib/current-account.ts';
import { useHotkey } from '../../lib/hotkeys.ts';
import type { KeyRow } from '../../lib/trpc.ts';
import { KeyDetailsDialog } from './key-details-dialog.tsx';
import { KeysEmpty } from './keys-empty.tsx';
import { KeysFilters } from './keys-filters.tsx';
import { KeysSkeleton } from './keys-skeleton.tsx';
import { KeysTable } from './keys-table.tsx';
import { LoadMore } from '../../components/ui/load-more.tsx';
import { NewKeyButton } from './new-key-button.tsx';
import { NewKeyDialog } from './new-key/new-key-dialog.tsx';
import { RevealDialog } from './reveal/reveal-dialog.tsx';
import { RevokeDialog } from './revoke-dialog.tsx';
import { useKeys } from './use-keys.ts';

type OpenDialog =
  | { kind: 'new' }
  | { kind: 'reveal'; key: KeyRow; secret: string }
  | { kind: 'details' | 'revoke'; key: KeyRow };

export function KeysPage() {
  const account = useCurrentAccount();
  const canEdit = useHasRole('member');
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const openNew = () => setDialog({ kind: 'new' });
  useHotkey('n', openNew, canEdit);
  const close = () => setDialog(null);
  return (
    <>
      <PageHeader title="API keys" action={canEdit ? <NewKeyButton onClick={openNew} /> : undefined}>
        One key per machine, project or environment. A key&rsquo;s scope is fixed when it is created.
      </PageHeader>
      <KeysCard
        accountId={account.id}
        canEdit={canEdit}
        onNew={openNew}
        onDetails={(key) => setDialog({ kind: 'details', key })}
        onRevoke={(key) => setDialog({ kind: 'revoke', key })}
      />
      {dialog?.kind === 'new' && (
        <NewKeyDialog
          accountId={account.id}
          onClose={close}
          onCreated={({ key, secret }) => setDialog({ kind: 'reveal', key, secret })}
        />
      )}
      {dialog?.kind === 'reveal' && (
        <RevealDialog accountId={account.id} created={dialog.key} secret={dialog.secret} onClose={close} />
      )}
      {dialog?.kind === 'details' && <KeyDetailsDialog row={dialog.key} onClose={close} />}
      {dialog?.kind === 'revoke' && <RevokeDialog accountId={account.id} row={dialog.key} onClose={close} />}
    </>
  );
}

interface KeysCardProps {
  accountId: string;
  canEdit: boolean;
  onNew: () => void;
  onDetails: (key: KeyRow) => void;
  onRevoke: (key: KeyRow) => void;
}

function KeysCard({ accountId, canEdit, onNew, onDetails, onRevoke }: KeysCardProps) {
  const { state = 'active', q = '' } = useSearch({ from: '/app/keys' });
  const list = useKeys({ accountId, state, search: q });
  const counts = list.data?.pages[0]?.counts;
  return (
    <Card className="@container">
      <KeysFilters state={state} search={q} counts={counts} />
      {list.isPending && <KeysSkeleton />}
      {list.isError && list.data === undefined && (
        <ErrorState
          title="The keys could not be loaded"
          error={list.error}
          isRetrying={list.isFetching}
          onRetry={() => void list.refetch()}
        />
      )}
      {list.data !== undefined && counts !== undefined && (
        <>
          <KeysTable
            keys={list.data.pages.flatMap((page) => page.keys)}
            isStale={list.isPlaceholderData}
            canEdit={canEdit}
            onDetails={onDetails}
            onRevoke={onRevoke}
            empty={<KeysEmpty state={state} search={q} counts={counts} canEdit={canEdit} onNew={onNew} />}
          />
          <LoadMore
            hasMore={list.hasNextPage}
            isLoading={list.isFetchingNextPage}
            error={list.isFetchNextPageError ? list.error : null}
            onLoad={() => void list.fetchNextPage()}
          />
        </>
      )}
    </Card>
  );
}
