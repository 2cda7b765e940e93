import { useQuery } from '@tanstack/react-query';
import { ExternalLink } from 'lucide-react';
import { Button } from '../../components/ui/button.tsx';
import { Card } from '../../components/ui/card.tsx';
import { Chip } from '../../components/ui/chip.tsx';
import { EmptyState } from '../../components/ui/empty-state.tsx';
import { Skeleton } from '../../components/ui/skeleton.tsx';
import { CloudOff } from 'lucide-react';
import { useSession } from '../../lib/session.ts';
import { parseReference, type Operation } from './parse-reference.ts';

/** Endpoints from the API's OpenAPI document; the full reference is a page of the API. */
export function ReferenceTopic() {
  const { installation } = useSession();
  const apiUrl = installation.publicApiUrl.replace(/\/v1$/, '');
  const reference = useQuery({
    queryKey: ['openapi', apiUrl],
    queryFn: async ({ signal }) => {
      const response = await fetch(`${apiUrl}/openapi.json`, { signal });
      if (!response.ok) throw new Error(`${apiUrl}/openapi.json returned status ${response.status}`);
      return parseReference(await response.json());
    },
    staleTime: 600_000,
  });
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center gap-2">
        <p className="mr-auto max-w-[65ch] text-ink-2">
          The API is described in OpenAPI 3.1. The full reference lists every request and response field.
        </p>
        <Button asChild variant="primary">
          <a href={`${apiUrl}/docs`} target="_blank" rel="noreferrer">
            Full reference
            <ExternalLink aria-hidden className="size-3.5" />
          </a>
        </Button>
        <Button asChild>
          <a href={`${apiUrl}/openapi.json`} target="_blank" rel="noreferrer">
            openapi.json
          </a>
        </Button>
      </div>
      <Card>
        {reference.isPending && <Skeleton className="m-4 h-64" />}
        {reference.isError && (
          <div role="alert">
            <EmptyState
              icon={CloudOff}
              title="The API is not reachable"
              action={<Button onClick={() => void reference.refetch()}>Try again</Button>}
            >
              {apiUrl} can’t be reached from this browser. Check that the API is running, then try again.
            </EmptyState>
          </div>
        )}
        {reference.data !== undefined && (
          <ul className="divide-y">
            {reference.data.map((operation) => (
              <OperationRow key={`${operation.method} ${operation.path}`} operation={operation} />
            ))}
          </ul>
        )}
      </Card>
    </>
  );
}

function OperationRow({ operation }: { operation: Operation }) {
  return (
    <li className="grid gap-x-4 gap-y-1 px-4 py-3 md:grid-cols-[minmax(0,320px)_minmax(0,1fr)]">
      <div className="flex min-w-0 items-start gap-2">
        <Chip tone={operation.method === 'POST' ? 'ok' : 'neutral'} className="shrink-0 font-mono">
          {operation.method}
        </Chip>
        <code className="font-mono text-[12.5px] leading-5 break-all">{operation.path}</code>
      </div>
      <div className="min-w-0">
        <p>{operation.summary}</p>
        {operation.description !== '' && (
          <p className="mt-0.5 text-[12.5px] whitespace-pre-line text-ink-2">{operation.description}</p>
        )}
      </div>
    </li>
  );
}
