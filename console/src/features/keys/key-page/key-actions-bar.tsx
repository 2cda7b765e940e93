import { useState } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import type { KeyRow, KeyView } from '../../../lib/trpc.ts';
import { menuButtonId } from '../focus-return.ts';
import { RevealDialog } from '../reveal/reveal-dialog.tsx';
import { RevokeDialog } from '../revoke-dialog.tsx';
import { RotateDialog } from '../rotate/rotate-dialog.tsx';

const ROTATE_ID = 'rotate-key';

type OpenDialog = { kind: 'rotate' | 'revoke' } | { kind: 'reveal'; key: KeyRow; secret: string };

/**
 * Actions for an active key. The bar stays mounted after the key ends, because after an immediate rotation the
 * new key must still be shown.
 */
export function KeyActionsBar(props: { accountId: string; view: KeyView; isAlive: boolean }) {
  const { accountId, view, isAlive } = props;
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const close = () => setDialog(null);
  return (
    <>
      {isAlive && view.replacedBy === null && (
        <Button id={ROTATE_ID} onClick={() => setDialog({ kind: 'rotate' })}>
          Rotate…
        </Button>
      )}
      {isAlive && (
        <Button id={menuButtonId(view.id)} onClick={() => setDialog({ kind: 'revoke' })}>
          Revoke…
        </Button>
      )}
      {dialog?.kind === 'rotate' && (
        <RotateDialog
          accountId={accountId}
          row={view}
          returnTo={ROTATE_ID}
          onClose={close}
          onRotated={({ key, secret }) => setDialog({ kind: 'reveal', key, secret })}
        />
      )}
      {dialog?.kind === 'revoke' && <RevokeDialog accountId={accountId} row={view} onClose={close} />}
      {dialog?.kind === 'reveal' && (
        <RevealDialog accountId={accountId} created={dialog.key} secret={dialog.secret} onClose={close} />
      )}
    </>
  );
}
