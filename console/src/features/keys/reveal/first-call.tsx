import { useQuery } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import { trpc, type KeyRow } from '../../../lib/trpc.ts';
import { useNow } from '../../../lib/use-now.ts';
import { formatRelative } from '../../../lib/format/time.ts';
import { Chip } from '../../../components/ui/chip.tsx';

const POLL_MS = 1_500;

/** Polls for the key's first request and turns green when it arrives. */
export function FirstCall({ accountId, created }: { accountId: string; created: KeyRow }) {
  const { data } = useQuery(
    trpc.keys.get.queryOptions(
      { accountId, keyId: created.id },
      {
        staleTime: 0,
        refetchInterval: ({ state }) => ((state.data?.lastUsedAt ?? null) === null ? POLL_MS : false),
        // The first request is sent from a terminal while this page is in the background.
        refetchIntervalInBackground: true,
      },
    ),
  );
  const nowMs = useNow(POLL_MS);
  const lastUsedAt = data?.lastUsedAt ?? null;
  return (
    <output className="flex min-h-5 flex-wrap items-center gap-2 text-[12.5px] text-ink-2">
      {lastUsedAt === null ? (
        <>
          <Chip>waiting for the first request…</Chip>
          This turns green when the key is used.
        </>
      ) : (
        <>
          <Chip tone="ok" className="gap-1">
            <Check aria-hidden className="size-3" />
            first request received
          </Chip>
          {formatRelative(new Date(lastUsedAt), nowMs)}: the key works.
        </>
      )}
    </output>
  );
}
