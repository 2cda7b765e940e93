import { Inbox } from 'lucide-react';
import { Link } from '@tanstack/react-router';
import { paths } from '../../lib/paths.ts';
import { Button } from '../ui/button.tsx';
import { useSession } from '../../lib/session.ts';

/** Without an SMTP server, links to the local mailbox in a new tab. */
export function MailboxLink() {
  const { installation } = useSession();
  if (!installation.mailbox) {
    if (!installation.keepsEmails) return null;
    return (
      <p className="text-center text-[13px] text-ink-2">
        This installation does not send emails. Open the mailbox link that Tollgate printed at startup.
      </p>
    );
  }
  return (
    <Button asChild className="w-full">
      <Link to={paths.mailbox} target="_blank">
        <Inbox aria-hidden className="size-4" />
        Open this machine&rsquo;s mailbox
      </Link>
    </Button>
  );
}
