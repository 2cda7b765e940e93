import { useState } from 'react';
import { useSession } from '../../lib/session.ts';
import { ChangeEmailCode } from './change-email-code.tsx';
import { ChangeEmailForm } from './change-email-form.tsx';
import { Section } from './section.tsx';
import { Note } from '../../components/ui/note.tsx';

type Step = { name: 'form' } | { name: 'code'; email: string } | { name: 'done' };

/** Two steps: enter the new address, then confirm it. The old address stays valid until then. */
export function ChangeEmail() {
  const { user } = useSession();
  const [step, setStep] = useState<Step>({ name: 'form' });
  return (
    <Section
      title="Email"
      description={
        <>
          You sign in as <b className="font-medium break-all text-ink">{user?.email}</b>. A new address takes
          effect once you confirm it. We notify the old address.
        </>
      }
    >
      {step.name === 'code' ? (
        <ChangeEmailCode
          email={step.email}
          onDone={() => setStep({ name: 'done' })}
          onBack={() => setStep({ name: 'form' })}
        />
      ) : (
        <div className="grid gap-4">
          {step.name === 'done' && (
            <Note tone="ok" announcedAs="status">
              Your email was changed.
            </Note>
          )}
          <ChangeEmailForm key={step.name} onRequested={(email) => setStep({ name: 'code', email })} />
        </div>
      )}
    </Section>
  );
}
