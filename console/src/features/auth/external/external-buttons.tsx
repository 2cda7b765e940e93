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

/** One button for each provider that the operator has set up; nothing if there is none. */
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
          // The page goes on being shown until the provider's comes.
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
