import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { OptionPicker } from '../../../components/ui/option-picker.tsx';
import { trpc } from '../../../lib/trpc.ts';

const SHOWN = 20;

interface KeyFilterProps {
  accountId: string;
  keyId: string | undefined;
  onChoose: (keyId: string | null) => void;
}

/** Includes revoked and expired keys, because the log has their requests. */
export function KeyFilter({ accountId, keyId, onChoose }: KeyFilterProps) {
  const [search, setSearch] = useState('');
  const found = useQuery(
    trpc.keys.list.queryOptions(
      { accountId, state: 'active', search, limit: SHOWN },
      { placeholderData: keepPreviousData },
    ),
  );
  const ended = useQuery(
    trpc.keys.list.queryOptions(
      { accountId, state: 'ended', search, limit: SHOWN },
      { placeholderData: keepPreviousData },
    ),
  );
  const chosen = useQuery(
    trpc.keys.get.queryOptions({ accountId, keyId: keyId ?? '' }, { enabled: keyId !== undefined }),
  );
  const keys = [...(found.data?.keys ?? []), ...(ended.data?.keys ?? [])];
  return (
    <OptionPicker
      name="Key"
      placeholder="Name, prefix or last four"
      chosen={keyId === undefined ? null : (chosen.data?.name ?? keyId)}
      search={search}
      onSearch={setSearch}
      options={keys.map((key) => ({ value: key.id, label: key.name, detail: `…${key.last4}` }))}
      empty={found.isPending ? 'Loading keys' : 'No matching keys'}
      onChoose={onChoose}
      onClear={() => onChoose(null)}
    />
  );
}
