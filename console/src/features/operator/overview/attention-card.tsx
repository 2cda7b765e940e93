import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react';
import { Card } from '../../../components/ui/card.tsx';
import { ErrorState } from '../../../components/ui/error-state.tsx';
import { Skeleton } from '../../../components/ui/skeleton.tsx';
import { TEXT_LINK } from '../../../components/ui/text-link.ts';
import { formatPlural } from '../../../lib/format/count.ts';
import { trpc } from '../../../lib/trpc.ts';
import { useReplicas } from '../use-replicas.ts';
import { describeItem, describeReplicas, type AttentionLine } from './describe-attention.ts';

const REFRESH_MS = 15_000;

/** What an operator should act on now, each with a link to the page that fixes it. */
export function AttentionCard() {
  const replicas = useReplicas();
  const query = useQuery(
    trpc.operator.overview.attention.queryOptions(undefined, { staleTime: 0, refetchInterval: REFRESH_MS }),
  );
  const lines = [
    ...(replicas.data === undefined ? [] : describeReplicas(replicas.data)),
    ...(query.data?.items.map(describeItem) ?? []),
  ];
  const isKnown = query.data !== undefined && (replicas.data !== undefined || replicas.isError);
  return (
    <Card>
      <section aria-labelledby="needs-attention">
        <h2 id="needs-attention" className="px-4 pt-3 pb-2 font-medium">
          Needs attention
        </h2>
        {query.isError && query.data === undefined && (
          <ErrorState
            title="This could not be loaded"
            error={query.error}
            isRetrying={query.isFetching}
            onRetry={() => void query.refetch()}
          />
        )}
        {!isKnown && !query.isError && <Skeleton className="mx-4 mb-4 h-8" />}
        {replicas.isError && (
          <p className="px-4 pb-3 text-[13px] text-warn">The state of the API replicas is unknown.</p>
        )}
        {isKnown && lines.length === 0 && !replicas.isError && (
          <p className="flex items-center gap-2 px-4 pb-3.5 text-ink-2">
            <CircleCheck aria-hidden className="size-4 shrink-0 text-accent" />
            Nothing needs attention.
          </p>
        )}
        {lines.length > 0 && (
          <ul className="divide-y border-t">
            {lines.map((line) => (
              <Line key={line.key} line={line} />
            ))}
          </ul>
        )}
        {query.data !== undefined && query.data.more > 0 && (
          <p className="border-t px-4 py-2.5 text-[13px] text-ink-2">
            {formatPlural(query.data.more, 'more item')} of these kinds.
          </p>
        )}
      </section>
    </Card>
  );
}

function Line({ line }: { line: AttentionLine }) {
  const Icon = line.tone === 'bad' ? CircleAlert : TriangleAlert;
  return (
    <li className="flex flex-wrap items-baseline gap-x-3 gap-y-1 px-4 py-2.5">
      <Icon
        aria-label={line.tone === 'bad' ? 'Urgent' : 'Warning'}
        className={`size-4 shrink-0 translate-y-[3px] ${line.tone === 'bad' ? 'text-danger' : 'text-warn'}`}
      />
      <span className="min-w-0 flex-1 basis-56 wrap-anywhere">{line.text}</span>
      <Link {...line.target} className={`${TEXT_LINK} text-[13px] whitespace-nowrap`}>
        {line.action}
      </Link>
    </li>
  );
}
