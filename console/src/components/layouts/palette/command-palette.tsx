import { lazy, Suspense, useState } from 'react';
import { useCurrentAccount } from '../../../lib/current-account.ts';
import { useModifierHotkey } from '../../../lib/hotkeys.ts';
import { useSession } from '../../../lib/session.ts';

// Fetched when it is first opened: the first page does not wait for it.
const PaletteDialog = lazy(async () => {
  const { PaletteDialog: Dialog } = await import('./palette-dialog.tsx');
  return { default: Dialog };
});

/** Opens by ⌘K or Ctrl K on any page of the signed-in console, also while somebody types. */
export function CommandPalette() {
  const { accounts } = useSession();
  const [isOpen, setIsOpen] = useState(false);
  useModifierHotkey('k', () => setIsOpen(!isOpen), isOpen);
  const close = () => setIsOpen(false);
  if (!isOpen) return null;
  return (
    <Suspense>
      {accounts.length === 0 ? (
        <PaletteDialog account={null} onClose={close} />
      ) : (
        <OfAccount onClose={close} />
      )}
    </Suspense>
  );
}

function OfAccount({ onClose }: { onClose: () => void }) {
  return <PaletteDialog account={useCurrentAccount()} onClose={onClose} />;
}
