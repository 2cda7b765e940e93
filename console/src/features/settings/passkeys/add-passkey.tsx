import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { toast } from '../../../lib/toast.ts';
import { Button } from '../../../components/ui/button.tsx';
import { describeDevice } from '@tollgate/core/people/describe-device';
import { makePasskey } from '../../../lib/passkey.ts';
import { queryClient } from '../../../lib/query-client.ts';
import { refreshSession } from '../../../lib/session.ts';
import { trpc } from '../../../lib/trpc.ts';
import { NameDialog } from './name-dialog.tsx';

export function AddPasskey() {
  const [isNaming, setIsNaming] = useState(false);
  const begin = useMutation(trpc.passkeys.beginAdding.mutationOptions());
  const finish = useMutation(trpc.passkeys.add.mutationOptions());
  const add = useMutation({
    mutationFn: async (name: string) => {
      const response = await makePasskey(await begin.mutateAsync());
      if (response === null) return;
      await finish.mutateAsync({ name, response });
      await queryClient.invalidateQueries(trpc.passkeys.pathFilter());
      await refreshSession();
      setIsNaming(false);
      toast.success(`${name} added`, { description: 'You can now sign in without your password.' });
    },
  });
  const close = () => {
    if (add.isPending) return;
    setIsNaming(false);
    add.reset();
  };
  return (
    <>
      <Button onClick={() => setIsNaming(true)}>Add a passkey…</Button>
      {isNaming && (
        <NameDialog
          title="Add a passkey"
          description="Your browser then asks where to save it: on this device, a phone or a security key."
          action="Continue"
          name={describeDevice(navigator.userAgent).name}
          isPending={add.isPending}
          error={add.error}
          onSubmit={(name) => add.mutate(name)}
          onClose={close}
        />
      )}
    </>
  );
}
