import { useMutation } from '@tanstack/react-query';
import { Button } from '../../../components/ui/button.tsx';
import { describeError } from '../../../lib/api-error.ts';
import { toast } from '../../../lib/toast.ts';
import { trpc, type OwnCredential } from '../../../lib/trpc.ts';

const LONG_MS = 15_000;

interface TestOwnCredentialProps {
  accountId: string;
  provider: OwnCredential;
}

/** Sends one real request with the credential of the account and shows the result. */
export function TestOwnCredential({ accountId, provider: { providerId, name } }: TestOwnCredentialProps) {
  const test = useMutation(
    trpc.ownCredentials.test.mutationOptions({
      onSuccess: (result) => {
        if (result.ok)
          toast.success(`${name}: test passed`, { description: `Responded in ${result.latencyMs} ms.` });
        else toast.error(`${name}: test failed`, { description: result.message, duration: LONG_MS });
      },
      onError: (error) => toast.error('Couldn’t run the test', { description: describeError(error) }),
    }),
  );
  return (
    <Button
      size="sm"
      isPending={test.isPending}
      aria-label={`Test credential for ${name}`}
      onClick={() => test.mutate({ accountId, providerId })}
    >
      Test
    </Button>
  );
}
