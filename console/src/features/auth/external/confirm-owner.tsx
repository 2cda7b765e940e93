import { useState } from 'react';
import { AuthCard } from '../../../components/layouts/auth-layout.tsx';
import { Button } from '../../../components/ui/button.tsx';
import type { ExternalOutcome } from '../../../lib/trpc.ts';
import { ConfirmByCode } from './confirm-by-code.tsx';
import { ConfirmByPassword } from './confirm-by-password.tsx';

interface ConfirmOwnerProps {
  question: { email: string; byPassword: boolean };
  /** The provider: `GitHub`. */
  label: string;
  onDone: (outcome: ExternalOutcome) => Promise<void>;
}

/** A login with this email exists: the person confirms once that it is theirs. */
export function ConfirmOwner({ question, label, onDone }: ConfirmOwnerProps) {
  const { email } = question;
  const [byPassword, setByPassword] = useState(question.byPassword);
  return (
    <AuthCard
      title="Is this your account?"
      description={
        <>
          <b className="font-medium break-all text-ink">{email}</b> already has an account. Confirm that it is
          yours to sign in with {label}.
        </>
      }
    >
      {byPassword ? <ConfirmByPassword email={email} onDone={onDone} /> : <ConfirmByCode onDone={onDone} />}
      {question.byPassword && (
        <Button variant="ghost" onClick={() => setByPassword(!byPassword)}>
          {byPassword ? 'Use an email code' : 'Use your password'}
        </Button>
      )}
    </AuthCard>
  );
}
