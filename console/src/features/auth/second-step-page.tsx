import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { paths } from '../../lib/paths.ts';
import { AuthCard } from '../../components/layouts/auth-layout.tsx';
import { Button } from '../../components/ui/button.tsx';
import { CodeInput } from '../../components/ui/code-input.tsx';
import { Field } from '../../components/ui/field.tsx';
import { Form } from '../../components/ui/form.tsx';
import { Input } from '../../components/ui/input.tsx';
import { TEXT_LINK } from '../../components/ui/text-link.ts';
import { describeError, isApiError } from '../../lib/api-error.ts';
import { trpc } from '../../lib/trpc.ts';
import { useEntry } from './use-enter.ts';

const CODE_LENGTH = 6;

type Way = 'app' | 'paper';

/** After the password: the code of the authenticator app, or a recovery code if the phone is lost. */
export function SecondStepPage() {
  const { redirect } = useSearch({ from: '/auth/sign-in/code' });
  const entered = useEntry();
  const navigate = useNavigate();
  const [way, setWay] = useState<Way>('app');
  const [code, setCode] = useState('');
  const enterCode = useMutation(
    trpc.auth.enterCode.mutationOptions({
      onSuccess: (entry) => entered(entry, redirect),
      onError: async (error) => {
        setCode('');
        if (!isApiError(error) || error.data?.reason !== 'sign_in_again') return;
        await navigate({ to: paths.signIn, search: { redirect, reason: 'again' } });
      },
    }),
  );
  const change = (text: string) => {
    setCode(text);
    if (enterCode.isError && text !== '') enterCode.reset();
    if (way === 'app' && text.length === CODE_LENGTH && !enterCode.isPending)
      enterCode.mutate({ code: text });
  };
  const turnTo = (next: Way) => {
    setWay(next);
    setCode('');
    enterCode.reset();
  };
  const error = enterCode.isError ? describeError(enterCode.error) : undefined;
  return (
    <AuthCard
      title="Enter your code"
      description={
        way === 'app'
          ? 'Enter the 6-digit code from your authenticator app.'
          : 'Enter a recovery code. Each code works once. If you have none, ask the operator to reset your sign-in.'
      }
      footer={
        <Link to={paths.signIn} search={{ redirect }} className={TEXT_LINK}>
          Use another account
        </Link>
      }
    >
      <Form
        className="grid gap-4"
        onSubmit={() => {
          if (code !== '' && !enterCode.isPending) enterCode.mutate({ code });
        }}
      >
        {way === 'app' ? (
          <Field key="app" label="Code" error={error}>
            {(control) => <CodeInput {...control} value={code} onValueChange={change} isFocusedFirst />}
          </Field>
        ) : (
          <Field key="paper" label="Recovery code" error={error}>
            {(control) => (
              <Input
                {...control}
                value={code}
                onChange={(event) => change(event.target.value)}
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
                placeholder="xxxxx-xxxxx"
                className="font-mono"
              />
            )}
          </Field>
        )}
        <Button type="submit" variant="primary" isPending={enterCode.isPending || enterCode.isSuccess}>
          Continue
        </Button>
        <Button variant="ghost" onClick={() => turnTo(way === 'app' ? 'paper' : 'app')}>
          {way === 'app' ? 'Use recovery code' : 'Use authenticator app'}
        </Button>
      </Form>
    </AuthCard>
  );
}
