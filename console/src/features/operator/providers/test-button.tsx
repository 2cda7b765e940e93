import { useMutation } from '@tanstack/react-query';
import { toast } from '../../../lib/toast.ts';
import { Button } from '../../../components/ui/button.tsx';
import { describeError } from '../../../lib/api-error.ts';
import { formatPlural } from '../../../lib/format/count.ts';
import { queryClient } from '../../../lib/query-client.ts';
import { trpc } from '../../../lib/trpc.ts';
import type { OperatorProvider } from '../operator-types.ts';

const LONG_MS = 15_000;

/** Sends one real request with the stored credential and shows the result. */
export function TestButton({ provider }: { provider: OperatorProvider }) {
  const test = useMutation(
    trpc.operator.providers.test.mutationOptions({
      onSuccess: async (result) => {
        if (!result.ok) {
          toast.error(`${provider.name}: test failed`, {
            description: result.message,
            duration: LONG_MS,
          });
          return;
        }
        const what =
          result.models === null ? `with ${result.model ?? 'a model'}` : formatPlural(result.models, 'model');
        await queryClient.invalidateQueries(trpc.operator.providers.list.queryFilter());
        toast.success(`${provider.name}: test passed`, {
          description: `Responded in ${result.latencyMs} ms, ${what}.`,
        });
      },
      onError: (error) => toast.error('Couldn’t run the test', { description: describeError(error) }),
    }),
  );
  return (
    <Button
      size="sm"
      isPending={test.isPending}
      aria-label={`Test ${provider.name}`}
      onClick={() => test.mutate({ providerId: provider.id })}
    >
      Test
    </Button>
  );
}
