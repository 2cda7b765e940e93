import { useMutation } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Button } from '../../components/ui/button.tsx';
import { FormError } from '../../components/ui/form-error.tsx';
import { describeError, isApiError } from '../../lib/api-error.ts';
import {
  askForPasskey,
  offersPasskeysInFields,
  stopWaitingForPasskey,
  usePasskeySupport,
  waitForPasskeyInField,
} from '../../lib/passkey.ts';
import { trpc } from '../../lib/trpc.ts';
import { useEntry } from './use-enter.ts';

/** Signs in with a passkey: by this button, or by the browser's suggestion in the email field. */
export function PasskeyButton(props: PasskeyButtonProps) {
  const { isSupported } = usePasskeySupport();
  return isSupported ? <SupportedButton {...props} /> : null;
}

interface PasskeyButtonProps {
  redirect: string | undefined;
  /** Runs before the browser asks for the passkey. */
  prepare?: () => Promise<unknown>;
}

function SupportedButton({ redirect, prepare }: PasskeyButtonProps) {
  const entered = useEntry();
  const begin = useMutation(trpc.passkeys.beginSignIn.mutationOptions());
  const signIn = useMutation(
    trpc.passkeys.signIn.mutationOptions({ onSuccess: (entry) => entered(entry, redirect) }),
  );
  const waiting = useRef({ begin, signIn });
  useEffect(() => {
    waiting.current = { begin, signIn };
  });
  useEffect(() => {
    let isCancelled = false;
    const wait = async () => {
      if (!(await offersPasskeysInFields()) || isCancelled) return;
      const response = await waitForPasskeyInField(await waiting.current.begin.mutateAsync());
      if (response !== null && !isCancelled) waiting.current.signIn.mutate({ response });
    };
    // The button still works without autofill support.
    wait().catch(() => undefined);
    return () => {
      isCancelled = true;
      void stopWaitingForPasskey();
    };
  }, []);

  const ask = useMutation({
    mutationFn: async () => {
      await prepare?.();
      const response = await askForPasskey(await begin.mutateAsync());
      if (response !== null) await signIn.mutateAsync({ response });
    },
  });
  const error = ask.error ?? signIn.error;
  return (
    <div className="grid gap-4">
      <div aria-hidden className="flex items-center gap-3 text-xs text-ink-3">
        <span className="h-px flex-1 bg-line" />
        or
        <span className="h-px flex-1 bg-line" />
      </div>
      <Button isPending={ask.isPending} onClick={() => ask.mutate()}>
        <KeyRound aria-hidden className="size-4" />
        Sign in with a passkey
      </Button>
      <FormError message={error === null ? undefined : describePasskeyError(error)} />
    </div>
  );
}

function describePasskeyError(error: unknown): string {
  return isApiError(error)
    ? describeError(error)
    : 'Your browser could not use a passkey. Sign in with your password.';
}
