import type { Client } from '@tollgate/core/clients/client';
import { nameClient } from '@tollgate/core/clients/clients';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Check, CircleDashed, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Card } from '../../components/ui/card.tsx';
import { Skeleton } from '../../components/ui/skeleton.tsx';
import { TEXT_LINK } from '../../components/ui/text-link.ts';
import { cn } from '../../lib/cn.ts';
import { describeError } from '../../lib/api-error.ts';
import { formatRelative } from '../../lib/format/time.ts';
import { paths } from '../../lib/paths.ts';
import { trpc } from '../../lib/trpc.ts';
import { useNow } from '../../lib/use-now.ts';

const POLL_MS = 1_500;

interface FirstRequestProps {
  accountId: string;
  client: Client;
  /** null: any key of the account. */
  keyId: string | null;
}

/** Turns green when a request of the client with its user agent has arrived. */
export function FirstRequest({ accountId, client, keyId }: FirstRequestProps) {
  const filter = { client: client.id, ...(keyId !== null && { key: keyId }) };
  const { data, error, isPending } = useQuery(
    trpc.requests.list.queryOptions(
      { accountId, filter, limit: 1 },
      {
        staleTime: 0,
        refetchInterval: ({ state }) => (state.data?.requests[0]?.errorCode === null ? false : POLL_MS),
        // The first request is sent from a terminal while this page is in the background.
        refetchIntervalInBackground: true,
      },
    ),
  );
  const nowMs = useNow(POLL_MS);
  const last = data?.requests[0];
  const link = (
    <Link to={paths.requests} search={filter} className={TEXT_LINK}>
      Show its requests
    </Link>
  );
  return (
    <Card className="p-4">
      <output className="block">
        {error !== null ? (
          <State icon={<TriangleAlert aria-hidden className="size-4" />} tone="warn" title="Not known">
            {describeError(error)}
          </State>
        ) : isPending ? (
          <Skeleton className="h-11" />
        ) : last === undefined ? (
          <State
            icon={<CircleDashed aria-hidden className="size-4" />}
            tone="neutral"
            title="Waiting for the first request"
          >
            This turns green when {client.title} sends a request{keyId === null ? '' : ' with this key'}.
          </State>
        ) : last.errorCode === null ? (
          <State
            icon={<Check aria-hidden className="size-4" />}
            tone="ok"
            title={`${client.title} is connected`}
          >
            {describeLast(last.client, last.model)}, {formatRelative(new Date(last.startedAt), nowMs)}. {link}
          </State>
        ) : (
          <State
            icon={<TriangleAlert aria-hidden className="size-4" />}
            tone="warn"
            title={`The last request failed with ${last.status}`}
          >
            <code className="font-mono text-xs">{last.errorCode}</code>,{' '}
            {formatRelative(new Date(last.startedAt), nowMs)}. {link}
          </State>
        )}
      </output>
      {client.sharedWith !== null && (
        <p className="mt-2.5 text-[12.5px] text-ink-3">
          Requests of {client.sharedWith} look the same. Choose a key that only {client.title} uses.
        </p>
      )}
    </Card>
  );
}

function describeLast(described: string | null, model: string | null): string {
  return [described === null ? null : nameClient(described), model]
    .filter((part) => part !== null)
    .join(' with ');
}

const TONES = {
  neutral: 'bg-sunken text-ink-3',
  ok: 'bg-accent-soft text-accent',
  warn: 'bg-warn-soft text-warn',
} as const;

function State(props: { icon: ReactNode; tone: keyof typeof TONES; title: string; children: ReactNode }) {
  return (
    <span className="grid grid-cols-[32px_minmax(0,1fr)] gap-3">
      <span className={cn('grid size-8 place-items-center rounded-full', TONES[props.tone])}>
        {props.icon}
      </span>
      <span>
        <span className="block font-semibold">{props.title}</span>
        <span className="block text-[13px] text-ink-2">{props.children}</span>
      </span>
    </span>
  );
}
