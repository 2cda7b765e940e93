import { useQuery } from '@tanstack/react-query';
import { Dialog, DialogBody, DialogContent } from '../../../components/ui/dialog.tsx';
import { Paged } from '../../../components/ui/paged.tsx';
import { trpc } from '../../../lib/trpc.ts';
import type { OperatorProvider } from '../operator-types.ts';
import { AddCredentialForm } from './add-credential-form.tsx';
import { CredentialItem } from './credential-item.tsx';
import { OwnCredentialsSwitch } from './own-credentials-switch.tsx';

interface CredentialsDialogProps {
  provider: OperatorProvider;
  onClose: () => void;
  onCloseAutoFocus: (event: Event) => void;
}

/** The credentials of a provider, which share its requests. */
export function CredentialsDialog({ provider, onClose, onCloseAutoFocus }: CredentialsDialogProps) {
  const list = useQuery(trpc.operator.providerCredentials.list.queryOptions({ providerId: provider.id }));
  const providers = useQuery(trpc.operator.providers.list.queryOptions());
  const current = providers.data?.providers.find(({ id }) => id === provider.id) ?? provider;
  const credentials = list.data?.credentials ?? [];
  const usable = credentials.filter(({ setAside }) => setAside === null);
  // If all are set aside, all are tried.
  const shared = usable.length === 0 ? credentials : usable;
  const total = shared.reduce((sum, { weight }) => sum + weight, 0);
  const isFull = list.data !== undefined && credentials.length >= list.data.max;
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <DialogContent
        title={`Credentials of ${provider.name}`}
        description="Requests are shared by weight. All requests of a session use the same credential."
        onCloseAutoFocus={onCloseAutoFocus}
      >
        <DialogBody>
          <Paged list={list} title="The credentials could not be loaded">
            <ul aria-label="Credentials" className="divide-y rounded-lg border">
              {credentials.map((credential) => (
                <CredentialItem
                  key={credential.id}
                  credential={credential}
                  share={shared.includes(credential) ? credential.weight / total : 0}
                  isOnly={credentials.length === 1}
                />
              ))}
            </ul>
          </Paged>
          {isFull ? (
            <p className="text-ink-2">A provider can have at most {list.data.max} credentials.</p>
          ) : (
            <AddCredentialForm providerId={provider.id} />
          )}
          <OwnCredentialsSwitch provider={current} />
        </DialogBody>
      </DialogContent>
    </Dialog>
  );
}
