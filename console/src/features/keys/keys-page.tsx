import { useState } from 'react';
import { useSearch } from '@tanstack/react-router';
import { PageHeader } from '../../components/layouts/page-header.tsx';
import { Card } from '../../components/ui/card.tsx';
import { lazyDialog } from '../../components/ui/lazy-dialog.tsx';
import { useCurrentAccount, useHasRole } from '../../lib/current-account.ts';
import { useHotkey } from '../../lib/hotkeys.ts';
import { useNewKeyWish } from '../../lib/new-key-wish.ts';
import type { KeyRow } from '../../lib/trpc.ts';
import { uniqueById } from '../../lib/unique-by-id.ts';
import { BulkBar } from './bulk-bar.tsx';
import { BulkRevokeDialog } from './bulk-revoke-dialog.tsx';
import type { KeyActions } from './columns.tsx';
import { KeysEmpty } from './keys-empty.tsx';
import { KeysExport } from './keys-export.tsx';
import { KeysFilters } from './keys-filters.tsx';
import { KeysTable } from './keys-table.tsx';
import { NewKeyButton } from './new-key-button.tsx';
import { RevokeDialog } from './revoke-dialog.tsx';
import { useKeys } from './use-keys.ts';
import { useSelection } from './use-selection.ts';

const NewKeyDialog = lazyDialog(async () => (await import('./new-key/new-key-dialog.tsx')).NewKeyDialog);
const RotateDialog = lazyDialog(async () => (await import('./rotate/rotate-dialog.tsx')).RotateDialog);
const RevealDialog = lazyDialog(async () => (await import('./reveal/reveal-dialog.tsx')).RevealDialog);

type OpenDialog =
  | { kind: 'new' }
  | { kind: 'reveal'; key: KeyRow; secret: string }
  | { kind: 'rotate' | 'revoke'; key: KeyRow };

export function KeysPage() {
  const account = useCurrentAccount();
  const canEdit = useHasRole('member');
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const openNew = () => setDialog({ kind: 'new' });
  useHotkey('n', openNew, canEdit);
  useNewKeyWish(openNew, canEdit);
  const close = () => setDialog(null);
  const reveal = ({ key, secret }: { key: KeyRow; secret: string }) =>
    setDialog({ kind: 'reveal', key, secret });
  const actions: KeyActions = {
    onRotate: (key) => setDialog({ kind: 'rotate', key }),
    onRevoke: (key) => setDialog({ kind: 'revoke', key }),
  };
  return (
    <>
      <PageHeader
        title="API keys"
        action={
          <>
            <KeysExport accountId={account.id} />
            {canEdit && <NewKeyButton onClick={openNew} />}
          </>
        }
      >
        Use one key per machine, project or environment. Models and limits of a key can&rsquo;t be changed
        later.
      </PageHeader>
      <KeysCard
        key={account.id}
        accountId={account.id}
        onNew={canEdit ? openNew : null}
        actions={canEdit ? actions : null}
      />
      {dialog?.kind === 'new' && <NewKeyDialog accountId={account.id} onClose={close} onCreated={reveal} />}
      {dialog?.kind === 'reveal' && (
        <RevealDialog accountId={account.id} created={dialog.key} secret={dialog.secret} onClose={close} />
      )}
      {dialog?.kind === 'rotate' && (
        <RotateDialog accountId={account.id} row={dialog.key} onClose={close} onRotated={reveal} />
      )}
      {dialog?.kind === 'revoke' && <RevokeDialog accountId={account.id} row={dialog.key} onClose={close} />}
    </>
  );
}

interface KeysCardProps {
  accountId: string;
  /** null if the user can't make changes. */
  onNew: (() => void) | null;
  actions: KeyActions | null;
}

function KeysCard({ accountId, onNew, actions }: KeysCardProps) {
  const search = useSearch({ from: '/app/keys' });
  const list = useKeys(accountId, search);
  const counts = list.data?.pages[0]?.counts;
  const keys = uniqueById(list.data?.pages.flatMap((page) => page.keys) ?? []);
  const selection = useSelection(keys);
  const [isRevoking, setIsRevoking] = useState(false);
  const canSelect = actions !== null && search.state !== 'ended';
  return (
    <Card className="@container">
      <KeysFilters accountId={accountId} search={search} counts={counts} />
      {canSelect && <BulkBar selection={selection} onRevoke={() => setIsRevoking(true)} />}
      <KeysTable
        list={list}
        keys={keys}
        search={search}
        actions={actions}
        selection={canSelect ? selection : null}
        empty={counts !== undefined && <KeysEmpty search={search} counts={counts} onNew={onNew} />}
      />
      {isRevoking && selection.rows.length > 0 && (
        <BulkRevokeDialog
          accountId={accountId}
          rows={selection.rows}
          onClose={() => setIsRevoking(false)}
          onRevoked={() => {
            setIsRevoking(false);
            selection.clear();
          }}
        />
      )}
    </Card>
  );
}
