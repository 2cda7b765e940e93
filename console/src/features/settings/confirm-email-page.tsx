import { useMutation } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { paths } from '../../lib/paths.ts';
import { PageHeader } from '../../components/layouts/page-header.tsx';
import { Button } from '../../components/ui/button.tsx';
import { Card } from '../../components/ui/card.tsx';
import { FormError } from '../../components/ui/form-error.tsx';
import { Note } from '../../components/ui/note.tsx';
import { describeError } from '../../lib/api-error.ts';
import { refreshSession } from '../../lib/session.ts';
import { trpc } from '../../lib/trpc.ts';

/** Target of the link that confirms a new email. Requires a click, because mail scanners open links. */
export function ConfirmEmailPage() {
  const { token } = useSearch({ from: '/app/settings/confirm-email' });
  const confirm = useMutation(
    trpc.settings.confirmEmailChange.mutationOptions({ onSuccess: () => refreshSession() }),
  );
  return (
    <>
      <PageHeader title="Confirm your new email">
        After you confirm, you sign in with the new address.
      </PageHeader>
      <Card className="grid max-w-[460px] gap-4 p-5">
        {token === undefined && (
          <FormError message="This link is incomplete. Open the link in the email again." />
        )}
        <FormError message={confirm.isError ? describeError(confirm.error) : undefined} />
        {confirm.isSuccess && (
          <Note tone="ok" announcedAs="status">
            You now sign in as <b className="font-semibold break-all">{confirm.data.email}</b>.
          </Note>
        )}
        <div className="flex gap-2">
          {token !== undefined && !confirm.isSuccess && !confirm.isError && (
            <Button variant="primary" isPending={confirm.isPending} onClick={() => confirm.mutate({ token })}>
              Confirm new email
            </Button>
          )}
          <Button asChild>
            <Link to={paths.settings}>Go to settings</Link>
          </Button>
        </div>
      </Card>
    </>
  );
}
