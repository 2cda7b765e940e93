import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../components/ui/button.tsx';
import { lazyDialog } from '../../components/ui/lazy-dialog.tsx';
import { OptionPicker } from '../../components/ui/option-picker.tsx';
import { useHasRole } from '../../lib/current-account.ts';
import { useIsViewing } from '../../lib/session.ts';
import { trpc, type KeyRow, type KeyView } from '../../lib/trpc.ts';
import { NEW_KEY_BUTTON_ID } from '../keys/new-key-button.tsx';

const NewKeyDialog = lazyDialog(
  async () => (await import('../keys/new-key/new-key-dialog.tsx')).NewKeyDialog,
);

const SHOWN = 20;

interface KeyChoiceProps {
  accountId: string;
  chosen: KeyView | null;
  onChoose: (keyId: string | null) => void;
  onCreated: (created: { key: KeyRow; secret: string }) => void;
}

/** Chooses one of the account's active keys, or creates one. */
export function KeyChoice({ accountId, chosen, onChoose, onCreated }: KeyChoiceProps) {
  const mayMake = useHasRole('member');
  const isViewing = useIsViewing();
  const [search, setSearch] = useState('');
  const [isMaking, setIsMaking] = useState(false);
  const found = useQuery(
    trpc.keys.list.queryOptions(
      { accountId, state: 'active', search, limit: SHOWN },
      { placeholderData: keepPreviousData },
    ),
  );
  return (
    <div>
      <div aria-hidden className="mb-[5px] text-[13px] font-medium">
        Key
      </div>
      <div className="flex gap-2">
        <div className="min-w-0 flex-1">
          <OptionPicker
            name="Key"
            placeholder="Name, prefix or last four"
            chosen={chosen === null ? null : `${chosen.name} …${chosen.last4}`}
            search={search}
            onSearch={setSearch}
            options={(found.data?.keys ?? []).map((key) => ({
              value: key.id,
              label: key.name,
              detail: `…${key.last4}`,
            }))}
            empty={found.isPending ? 'Loading keys' : 'No matching keys'}
            onChoose={onChoose}
            onClear={() => onChoose(null)}
          />
        </div>
        {mayMake && !isViewing && (
          <Button id={NEW_KEY_BUTTON_ID} onClick={() => setIsMaking(true)}>
            New key
          </Button>
        )}
      </div>
      {isMaking && (
        <NewKeyDialog
          accountId={accountId}
          onClose={() => setIsMaking(false)}
          onCreated={(created) => {
            setIsMaking(false);
            onCreated(created);
          }}
        />
      )}
    </div>
  );
}
