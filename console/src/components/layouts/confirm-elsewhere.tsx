import { useMutation } from '@tanstack/react-query';
import { toReturnPath } from '@tollgate/core/people/return-path';
import { LogIn } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { CodeInput } from '../ui/code-input.tsx';
import { DialogBody, DialogFooter } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { FormError } from '../ui/form-error.tsx';
import { describeError } from '../../lib/api-error.ts';
import { useSession } from '../../lib/session.ts';
import { trpc, type ConfirmationMethods } from '../../lib/trpc.ts';
import { MailboxLink } from './mailbox-link.tsx';
import { PasskeyConfirmation } from './passkey-confirmation.tsx';
import { ResendButton } from './resend-button.tsx';

const CODE_LENGTH = 6;

interface ConfirmElsewhereProps {
  providers: ConfirmationMethods['providers'];
  onConfirmed: () => void;
  onCancel: () => void;
}

/** Re-authentication of users without a password: at their provider, with a passkey, or by an emailed code. */
export function ConfirmElsewhere({ providers, onConfirmed, onCancel }: ConfirmElsewhereProps) {
  const { user } = useSession();
  const send = useMutation(trpc.sessions.sendConfirmationCode.mutationOptions());
  if (send.data !== undefined)
    return (
      <EmailedCode
        resendAfterSeconds={send.data.resendAfterSeconds}
        resend={async () => (await send.mutateAsync()).resendAfterSeconds}
        onConfirmed={onConfirmed}
        onCancel={onCancel}
      />
    );
  return (
    <>
      <DialogBody>
        {providers.map((provider) => (
          <ProviderButton key={provider.id} provider={provider} />
        ))}
        <PasskeyConfirmation label="Use a passkey" onConfirmed={onConfirmed} />
        <Button
          variant={providers.length === 0 ? 'primary' : 'secondary'}
          isPending={send.isPending}
          onClick={() => send.mutate()}
        >
          Email me a code
        </Button>
        <p className="text-[13px] break-words text-ink-2">We send the code to {user?.email}.</p>
        <FormError message={send.isError ? describeError(send.error) : undefined} />
      </DialogBody>
      <DialogFooter>
        <Button onClick={onCancel}>Cancel</Button>
      </DialogFooter>
    </>
  );
}

/** Leaves for the provider, and returns to this page. */
function ProviderButton({ provider }: { provider: ConfirmationMethods['providers'][number] }) {
  const start = useMutation(
    trpc.external.startConfirm.mutationOptions({ onSuccess: ({ url }) => window.location.assign(url) }),
  );
  const redirect = toReturnPath(window.location.pathname + window.location.search);
  return (
    <>
      <Button
        variant="primary"
        isPending={start.isPending || start.isSuccess}
        onClick={() => start.mutate({ provider: provider.id, redirect })}
      >
        <LogIn aria-hidden className="size-4" />
        Continue with {provider.label}
      </Button>
      <FormError message={start.isError ? describeError(start.error) : undefined} />
    </>
  );
}

interface EmailedCodeProps {
  resendAfterSeconds: number;
  resend: () => Promise<number>;
  onConfirmed: () => void;
  onCancel: () => void;
}

function EmailedCode({ resendAfterSeconds, resend, onConfirmed, onCancel }: EmailedCodeProps) {
  const [code, setCode] = useState('');
  const confirm = useMutation(trpc.sessions.confirmByCode.mutationOptions({ onSuccess: onConfirmed }));
  const change = (digits: string) => {
    setCode(digits);
    if (confirm.isError) confirm.reset();
    if (digits.length === CODE_LENGTH && !confirm.isPending) confirm.mutate({ code: digits });
  };
  return (
    <Form onSubmit={() => confirm.mutate({ code })}>
      <DialogBody>
        <Field label="Code from the email" error={confirm.isError ? describeError(confirm.error) : undefined}>
          {(control) => <CodeInput {...control} value={code} onValueChange={change} isFocusedFirst />}
        </Field>
        <MailboxLink />
        <ResendButton initialSeconds={resendAfterSeconds} send={resend}>
          Send a new code
        </ResendButton>
      </DialogBody>
      <DialogFooter>
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="primary" isPending={confirm.isPending || confirm.isSuccess}>
          Confirm
        </Button>
      </DialogFooter>
    </Form>
  );
}
