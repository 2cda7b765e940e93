import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { PASSWORD_MIN_LENGTH, passwordSchema } from '@tollgate/core/keys/credentials';
import { useEffect } from 'react';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { Button } from '../../components/ui/button.tsx';
import { Field } from '../../components/ui/field.tsx';
import { Form } from '../../components/ui/form.tsx';
import { FormError } from '../../components/ui/form-error.tsx';
import { PasswordInput } from '../../components/ui/password-input.tsx';
import { TEXT_LINK } from '../../components/ui/text-link.ts';
import { applyServerErrors, fieldNamed } from '../../lib/api-error.ts';
import { paths } from '../../lib/paths.ts';
import { trpc } from '../../lib/trpc.ts';
import { ExternalButtons } from '../auth/external/external-buttons.tsx';
import { PasskeyButton } from '../auth/passkey-button.tsx';
import { useEntry } from '../auth/use-enter.ts';

interface JoinFormProps {
  /** The invited address. */
  email: string;
  /** Of the link. */
  token: string;
}

/** Creates the login: the link has already verified the address. */
export function NewLogin({ email, token }: JoinFormProps) {
  const entered = useEntry();
  const prepare = useJoinAtSignIn(token);
  const form = useForm({
    resolver: zodResolver(z.object({ password: passwordSchema })),
    defaultValues: { password: '' },
  });
  useEffect(() => form.setFocus('password'), [form]);
  const join = useMutation(
    trpc.team.joinWithPassword.mutationOptions({
      onSuccess: (entry) => entered(entry),
      onError: (error) => applyServerErrors(form, error, fieldNamed('password')),
    }),
  );
  const { errors } = form.formState;
  return (
    <>
      <Form
        className="grid gap-4"
        onSubmit={form.handleSubmit(({ password }) => join.mutate({ token, password }))}
      >
        <LoginName email={email} />
        <Field
          label="Choose a password"
          error={errors.password?.message}
          hint={`At least ${PASSWORD_MIN_LENGTH} characters. Try a few unrelated words.`}
        >
          {(control) => (
            <PasswordInput {...control} {...form.register('password')} autoComplete="new-password" />
          )}
        </Field>
        <FormError message={errors.root?.message} />
        <Button type="submit" variant="primary" isPending={join.isPending || join.isSuccess}>
          Join account
        </Button>
      </Form>
      <ExternalButtons redirect={here()} prepare={prepare} />
    </>
  );
}

/** The owner of a login signs in, which also accepts the invitation. */
export function SignInToJoin({ email, token }: JoinFormProps) {
  const entered = useEntry();
  const prepare = useJoinAtSignIn(token);
  const form = useForm({
    resolver: zodResolver(z.object({ password: z.string().min(1, 'Enter your password') })),
    defaultValues: { password: '' },
  });
  useEffect(() => form.setFocus('password'), [form]);
  const signIn = useMutation(trpc.auth.signIn.mutationOptions());
  const join = useMutation({
    mutationFn: async ({ password }: { password: string }) => {
      await prepare();
      return signIn.mutateAsync({ email, password });
    },
    onSuccess: (entry) => entered(entry, here()),
    onError: (error) => applyServerErrors(form, error, fieldNamed('password')),
  });
  const { errors } = form.formState;
  return (
    <>
      <Form className="grid gap-4" onSubmit={form.handleSubmit((values) => join.mutate(values))}>
        <LoginName email={email} />
        <Field
          label="Your password"
          error={errors.password?.message}
          aside={
            <Link
              to={paths.forgot}
              search={{ redirect: here(), email }}
              className={`${TEXT_LINK} text-[13px]`}
            >
              Forgot password?
            </Link>
          }
        >
          {(control) => (
            <PasswordInput {...control} {...form.register('password')} autoComplete="current-password" />
          )}
        </Field>
        <FormError message={errors.root?.message} />
        <Button type="submit" variant="primary" isPending={join.isPending || join.isSuccess}>
          Sign in and join
        </Button>
      </Form>
      <PasskeyButton redirect={here()} prepare={prepare} />
      <ExternalButtons redirect={here()} prepare={prepare} />
    </>
  );
}

/** Password managers store and find the login by it. */
function LoginName({ email }: { email: string }) {
  return <input type="hidden" autoComplete="username" value={email} readOnly />;
}

/** Has the server accept this invitation at the next sign-in. */
function useJoinAtSignIn(token: string): () => Promise<unknown> {
  const { mutateAsync } = useMutation(trpc.team.joinAtSignIn.mutationOptions());
  return () => mutateAsync({ token });
}

/** Path of this page, which a user of another login returns to. */
function here(): string {
  return `${paths.join}${window.location.search}`;
}
