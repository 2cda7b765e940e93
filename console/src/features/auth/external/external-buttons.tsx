import { useMutation } from '@tanstack/react-query';
import { LogIn } from 'lucide-react';
import { Button } from '../../../components/ui/button.tsx';
import { FormError } from '../../../components/ui/form-error.tsx';
import { describeError } from '../../../lib/api-error.ts';
import { useSession } from '../../../lib/session.ts';
import { trpc } from '../../../lib/trpc.ts';

interface ExternalButtonsProps {
  /** Where to go afterwards, inside this console. */
  redirect?: string | undefined;
  /** The token of the first-run link. */
  operatorToken?: string | undefined;
  /** Runs before the browser leaves for the provider. */
  prepare?: (() => Promise<unknown>) | undefined;
}

/** One button per configured sign-in provider; renders nothing without providers. */
export function ExternalButtons({ redirect, operatorToken, prepare }: ExternalButtonsProps) {
  const { signInProviders } = useSession().installation;
  const begin = useMutation(trpc.external.start.mutationOptions());
  const start = useMutation({
    mutationFn: async (input: Parameters<typeof begin.mutate>[0]) => {
      await prepare?.();
      return begin.mutateAsync(input);
    },
    onSuccess: ({ url }) => window.location.assign(url),
  });
  if (signInProviders.length === 0) return null;
  const asked = start.variables?.provider;
  return (
    <div className="grid gap-2">
      {signInProviders.map(({ id, label }) => (
        <Button
          key={id}
          // Keep the page visible until the provider's page loads.
          isPending={asked === id && (start.isPending || start.isSuccess)}
          onClick={() =>
            start.mutate({
              provider: id,
              ...(redirect !== undefined && { redirect }),
              ...(operatorToken !== undefined && { operatorToken }),
            })
          }
        >
          <LogIn aria-hidden className="size-4" />
          Continue with {label}
        </Button>
      ))}
      <FormError message={start.isError ? describeError(start.error) : undefined} />
    </div>
  );
}
