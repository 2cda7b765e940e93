import { Link } from '@tanstack/react-router';
import { ShieldAlert } from 'lucide-react';
import { paths } from '../../lib/paths.ts';
import { refreshSession } from '../../lib/session.ts';
import { useTwoFactorBar } from '../../lib/two-factor-bar.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { PageHeader } from './page-header.tsx';
import { PasskeyConfirmation } from './passkey-confirmation.tsx';

/** In place of every page that a two-factor policy closes: why, and the next step. */
export function TwoFactorRequired() {
  const bar = useTwoFactorBar();
  if (bar === null) return null;
  const subject = bar.by === 'account' ? bar.accountName : 'This installation';
  return (
    <>
      <PageHeader title="Two-factor authentication required" />
      <Card>
        <EmptyState
          icon={ShieldAlert}
          title={bar.isEnrolled ? 'Confirm your second factor' : 'Set up a second factor'}
        >
          <b className="font-medium break-all text-ink">{subject}</b> requires two-factor authentication
          {bar.by === 'installation' && ' for operators'}.{' '}
          {bar.isEnrolled
            ? 'Confirm with your passkey to continue.'
            : 'Use an authenticator app or a passkey.'}
          <span className="mt-4 flex flex-wrap justify-center gap-2">
            {bar.isEnrolled ? (
              <PasskeyConfirmation label="Confirm with a passkey" onConfirmed={() => void refreshSession()} />
            ) : (
              <Button asChild variant="primary">
                <Link to={paths.settings}>Set up two-factor authentication</Link>
              </Button>
            )}
          </span>
        </EmptyState>
      </Card>
    </>
  );
}
