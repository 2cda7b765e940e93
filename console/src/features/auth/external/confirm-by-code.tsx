import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { CodeInput } from '../../../components/ui/code-input.tsx';
import { Field } from '../../../components/ui/field.tsx';
import { Form } from '../../../components/ui/form.tsx';
import { FormError } from '../../../components/ui/form-error.tsx';
import { describeError } from '../../../lib/api-error.ts';
import { trpc, type ExternalOutcome } from '../../../lib/trpc.ts';
import { MailboxLink } from '../../../components/layouts/mailbox-link.tsx';
import { ResendButton } from '../../../components/layouts/resend-button.tsx';

const CODE_LENGTH = 6;

export function ConfirmByCode({ onDone }: { onDone: (outcome: ExternalOutcome) => Promise<void> }) {
  const [code, setCode] = useState('');
  const send = useMutation(trpc.external.sendConfirmation.mutationOptions());
  const confirm = useMutation(trpc.external.confirm.mutationOptions({ onSuccess: onDone }));
  if (!send.isSuccess) {
    return (
      <div className="grid gap-4">
        <FormError message={send.isError ? describeError(send.error) : undefined} />
        <Button variant="primary" isPending={send.isPending} onClick={() => send.mutate()}>
          Email me a code
        </Button>
      </div>
    );
  }
  const change = (digits: string) => {
    setCode(digits);
    if (confirm.isError) confirm.reset();
    if (digits.length === CODE_LENGTH && !confirm.isPending) confirm.mutate({ code: digits });
  };
  return (
    <Form className="grid gap-4" onSubmit={() => confirm.mutate({ code })}>
      <Field label="Code" error={confirm.isError ? describeError(confirm.error) : undefined}>
        {(control) => <CodeInput {...control} value={code} onValueChange={change} isFocusedFirst />}
      </Field>
      <Button type="submit" variant="primary" isPending={confirm.isPending || confirm.isSuccess}>
        Link and sign in
      </Button>
      <MailboxLink />
      <ResendButton
        initialSeconds={send.data.resendAfterSeconds}
        send={async () => (await send.mutateAsync()).resendAfterSeconds}
      >
        Send a new code
      </ResendButton>
    </Form>
  );
}
