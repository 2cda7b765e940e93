import { Link, useRouter, type ErrorComponentProps } from '@tanstack/react-router';
import { MessagePage } from '../components/layouts/message-page.tsx';
import { Button } from '../components/ui/button.tsx';
import { Spinner } from '../components/ui/spinner.tsx';
import { describeError, isApiError, isUnreachable } from '../lib/api-error.ts';
import { paths } from '../lib/paths.ts';

export function NotFound() {
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
