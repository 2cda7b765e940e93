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
}

/** One button per configured sign-in provider; renders nothing without providers. */
export function ExternalButtons({ redirect, operatorToken }: ExternalButtonsProps) {
  const { signInProviders } = useSession().installation;
  const start = useMutation(
    trpc.external.start.mutationOptions({ onSuccess: ({ url }) => window.location.assign(url) }),
  );
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
