import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { paths } from '../../lib/paths.ts';
import { BackLink } from '../../components/layouts/back-link.tsx';
import { PageHeader } from '../../components/layouts/page-header.tsx';
import { Card } from '../../components/ui/card.tsx';
import { ErrorState } from '../../components/ui/error-state.tsx';
import { Segmented } from '../../components/ui/segmented.tsx';
import { Skeleton } from '../../components/ui/skeleton.tsx';
import { formatExactDateTime } from '../../lib/format/time.ts';
import { trpc } from '../../lib/trpc.ts';

const VIEWS = [
  { value: 'html', label: 'As sent' },
  { value: 'text', label: 'Plain text' },
] as const;

export function MailPage() {
  const { id } = useParams({ from: '/mailbox/dev/mailbox/$id' });
  const mail = useQuery(trpc.mailbox.get.queryOptions({ id }, { staleTime: Infinity }));
  const [view, setView] = useState<(typeof VIEWS)[number]['value']>('html');
  return (
    <>
      <BackLink to={paths.mailbox}>Mailbox</BackLink>
      <PageHeader
        title={mail.data?.subject ?? 'Email'}
        action={<Segmented label="View" value={view} options={VIEWS} onValueChange={setView} />}
      >
        {mail.data === undefined ? (
          <Skeleton className="mt-1 h-4 w-64" />
        ) : (
          <>
            To <span className="break-all text-ink">{mail.data.recipient}</span>,{' '}
            {formatExactDateTime(new Date(mail.data.createdAt))}
          </>
        )}
      </PageHeader>
      <Card className="overflow-hidden">
        {mail.isPending && <Skeleton className="m-5 h-40" />}
        {mail.isError && (
          <ErrorState
            title="The email could not be loaded"
            error={mail.error}
            isRetrying={mail.isFetching}
            onRetry={() => void mail.refetch()}
          />
        )}
        {mail.data !== undefined && view === 'html' && (
          <MailFrame subject={mail.data.subject} html={mail.data.html} />
        )}
        {mail.data !== undefined && view === 'text' && (
          <pre className="p-5 font-mono text-[12.5px]/5 break-words whitespace-pre-wrap">
            {mail.data.text}
          </pre>
        )}
      </Card>
    </>
  );
}

/**
 * An email in a frame without scripts and without this origin. Its links open in a separate tab, since a page
 * inside the frame would have no session.
 */
function MailFrame({ subject, html }: { subject: string; html: string }) {
  return (
    <iframe
      title={`Email: ${subject}`}
      sandbox="allow-popups allow-popups-to-escape-sandbox"
      srcDoc={`<base target="_blank">${html}`}
      className="block h-[560px] max-h-[70dvh] w-full bg-paper"
    />
  );
}
