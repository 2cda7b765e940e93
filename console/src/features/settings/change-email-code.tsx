import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from '@tanstack/react-router';
import { paths } from '../../lib/paths.ts';
import { Button } from '../../components/ui/button.tsx';
import { CodeInput } from '../../components/ui/code-input.tsx';
import { Field } from '../../components/ui/field.tsx';
import { Form } from '../../components/ui/form.tsx';
import { TEXT_LINK } from '../../components/ui/text-link.ts';
import { describeError } from '../../lib/api-error.ts';
import { refreshSession, useSession } from '../../lib/session.ts';
import { trpc } from '../../lib/trpc.ts';

const CODE_LENGTH = 6;

interface ChangeEmailCodeProps {
  email: string;
  onDone: () => void;
  onBack: () => void;
}

export function ChangeEmailCode({ email, onDone, onBack }: ChangeEmailCodeProps) {
  const { installation } = useSession();
  const [code, setCode] = useState('');
  const confirm = useMutation(
    trpc.settings.confirmEmailChange.mutationOptions({
      onSuccess: async () => {
        await refreshSession();
        onDone();
      },
    }),
  );
  const change = (digits: string) => {
    setCode(digits);
    if (confirm.isError) confirm.reset();
    if (digits.length === CODE_LENGTH && !confirm.isPending) confirm.mutate({ code: digits });
  };
  return (
    <Form
      className="grid max-w-sm gap-4"
      onSubmit={() => {
        confirm.mutate({ code });
      }}
    >
      <p>
        We sent a 6-digit code and a link to <b className="font-medium break-all">{email}</b>.
        {installation.mailbox && (
          <>
            {' '}
            Find it in the{' '}
            <Link to={paths.mailbox} target="_blank" className={TEXT_LINK}>
              this machine&rsquo;s mailbox
            </Link>
            .
          </>
        )}
      </p>
      <Field label="Code" error={confirm.isError ? describeError(confirm.error) : undefined}>
        {(control) => <CodeInput {...control} value={code} onValueChange={change} isFocusedFirst />}
      </Field>
      <div className="flex gap-2">
        <Button type="submit" variant="primary" isPending={confirm.isPending}>
          Confirm new email
        </Button>
        <Button variant="ghost" onClick={onBack}>
          Start over
        </Button>
      </div>
    </Form>
  );
}
