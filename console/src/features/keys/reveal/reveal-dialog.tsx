import { useRef, useState } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { ConfirmDialog } from '../../../components/ui/confirm-dialog.tsx';
import { Dialog, DialogBody, DialogContent, DialogFooter } from '../../../components/ui/dialog.tsx';
import { Note } from '../../../components/ui/note.tsx';
import { queryClient } from '../../../lib/query-client.ts';
import { useCatalogue } from '../../../lib/catalogue.ts';
import { findSampleModel } from '../../../lib/sample-model.ts';
import { useSession } from '../../../lib/session.ts';
import { trpc, type KeyRow } from '../../../lib/trpc.ts';
import { returnFocusTo } from '../focus-return.ts';
import { FirstCall } from './first-call.tsx';
import { SecretField } from './secret-field.tsx';
import { SnippetTabs } from './snippet-tabs.tsx';

interface RevealDialogProps {
  accountId: string;
  created: KeyRow;
  secret: string;
  onClose: () => void;
}

/** Shows the key once. Closing without copying requires confirmation. */
export function RevealDialog({ accountId, created, secret, onClose }: RevealDialogProps) {
  const { installation } = useSession();
  const catalogue = useCatalogue(accountId);
  const copyButton = useRef<HTMLButtonElement>(null);
  const [isCopied, setIsCopied] = useState(false);
  const [isAsking, setIsAsking] = useState(false);
  const sample = findSampleModel(catalogue.data?.models ?? [], created.allowedModels);
  const model = sample?.id ?? created.allowedModels?.[0];
  const markCopied = () => setIsCopied(true);
  const close = () => {
    void queryClient.invalidateQueries(trpc.keys.list.pathFilter());
    onClose();
  };
  const leave = () => (isCopied ? close() : setIsAsking(true));
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && leave()}>
      <DialogContent
        title={<span className="break-words">{created.name} is ready</span>}
        hasCloseButton={false}
        onInteractOutside={(event) => event.preventDefault()}
        onOpenAutoFocus={(event) => {
          event.preventDefault();
          copyButton.current?.focus();
        }}
        onCloseAutoFocus={returnFocusTo(null)}
      >
        <DialogBody>
          <Note tone="warn">
            <b className="mr-1 font-semibold">Copy it now.</b> You can&rsquo;t see this key again: only its
            hash is stored.
          </Note>
          <SecretField secret={secret} buttonRef={copyButton} onCopied={markCopied} />
          {model !== undefined && (
            <SnippetTabs
              input={{ baseUrl: installation.publicApiUrl, secret, model }}
              onSecretCopied={markCopied}
            />
          )}
          <FirstCall accountId={accountId} created={created} />
        </DialogBody>
        <DialogFooter>
          <Button variant="primary" onClick={close}>
            I saved the key
          </Button>
        </DialogFooter>
        {isAsking && (
          <ConfirmDialog
            title="You haven't copied this key"
            description={`${created.name} can't be shown again. If you haven't saved it, revoke it and create another.`}
            action="Close anyway"
            cancel="Go back"
            tone="primary"
            onConfirm={close}
            onClose={() => setIsAsking(false)}
          />
        )}
      </DialogContent>
    </Dialog>
  );
}
