import { useMutation, useQuery } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { Button } from '../ui/button.tsx';
import { FormError } from '../ui/form-error.tsx';
import { describeError } from '../../lib/api-error.ts';
import { askForPasskey, usePasskeySupport } from '../../lib/passkey.ts';
import { trpc } from '../../lib/trpc.ts';

interface PasskeyConfirmationProps {
  /** The button's text. */
  label: string;
  onConfirmed: () => void;
}

/** Asks for a passkey of the person who is signed in; nothing if they have none or the browser cannot. */
export function PasskeyConfirmation({ label, onConfirmed }: PasskeyConfirmationProps) {
  const { isSupported } = usePasskeySupport();
  const { data } = useQuery(trpc.passkeys.list.queryOptions(undefined, { enabled: isSupported }));
  const begin = useMutation(trpc.passkeys.beginConfirmation.mutationOptions());
  const finish = useMutation(trpc.passkeys.confirm.mutationOptions());
  const ask = useMutation({
    mutationFn: async () => {
      const response = await askForPasskey(await begin.mutateAsync());
      if (response === null) return;
      await finish.mutateAsync({ response });
      onConfirmed();
    },
  });
  if (!isSupported || (data?.passkeys.length ?? 0) === 0) return null;
  return (
    <>
      <Button isPending={ask.isPending} onClick={() => ask.mutate()}>
        <KeyRound aria-hidden className="size-4" />
        {label}
      </Button>
      <FormError message={ask.isError ? describeError(ask.error) : undefined} />
    </>
  );
}
