import { useQuery } from '@tanstack/react-query';
import { Link, useLocation, useRouter, type ErrorComponentProps } from '@tanstack/react-router';
import { MessagePage } from '../components/layouts/message-page.tsx';
import { PageHeader } from '../components/layouts/page-header.tsx';
import { Button } from '../components/ui/button.tsx';
import { FormError } from '../components/ui/form-error.tsx';
import { Spinner } from '../components/ui/spinner.tsx';
import { describeError, isApiError, isUnreachable } from '../lib/api-error.ts';
import { paths } from '../lib/paths.ts';
import { sessionQuery } from '../lib/session.ts';
import { useEndViewing } from '../lib/use-end-viewing.ts';

export function NotFound() {
  // Without a request: the page may belong to no session.
  const viewing = useQuery({ ...sessionQuery, enabled: false }).data?.viewing ?? null;
  const { pathname } = useLocation();
  if (viewing !== null && pathname.startsWith('/operator')) return <Viewing name={viewing.accountName} />;
  return (
    <MessagePage
      title="Page not found"
      action={
        <Button asChild variant="primary">
          <Link to={paths.home}>Go to the console</Link>
        </Button>
      }
    >
      Check the address. You may not have access to this page.
    </MessagePage>
  );
}

/** In place of an operator page, within the console's layout, while an account is viewed. */
function Viewing({ name }: { name: string }) {
  const router = useRouter();
  const end = useEndViewing(() => router.invalidate());
  return (
    <>
      <PageHeader title={`You are viewing ${name}`}>
        You cannot open operator pages while viewing an account.
      </PageHeader>
      <FormError message={end.isError ? describeError(end.error) : undefined} />
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" isPending={end.isPending} onClick={() => end.mutate()}>
          Exit and open this page
        </Button>
        <Button asChild>
          <Link to={paths.keys}>Continue viewing</Link>
        </Button>
      </div>
    </>
  );
}

/** What broke while a page was loaded or drawn. */
export function Broken({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const retry = () => {
    reset();
    void router.invalidate();
  };
  return (
    <MessagePage
      title={isUnreachable(error) ? "The console's server can't be reached" : 'This page could not be loaded'}
      action={
        <>
          <Button variant="primary" onClick={retry}>
            Try again
          </Button>
          <Button onClick={() => location.reload()}>Reload page</Button>
        </>
      }
    >
      {isApiError(error) ? describeError(error) : 'Try again. If the problem continues, reload the page.'}
    </MessagePage>
  );
}

export function Pending() {
  return (
    <output className="grid min-h-[60dvh] place-items-center text-ink-3">
      <Spinner />
      <span className="sr-only">Loading</span>
    </output>
  );
}
