import { lazy, Suspense, useSyncExternalStore } from 'react';
import { useCurrentAccount } from '../../../lib/current-account.ts';
import { useModifierHotkey } from '../../../lib/hotkeys.ts';
import { useSession } from '../../../lib/session.ts';

// Fetched when it is first opened: the first page does not wait for it.
const PaletteDialog = lazy(async () => {
  const { PaletteDialog: Dialog } = await import('./palette-dialog.tsx');
  return { default: Dialog };
});

let isOpen = false;
const listeners = new Set<() => void>();

export function openPalette(): void {
  setOpen(true);
}

/** Opens by ⌘K or Ctrl K and by its button, on any page of the signed-in console; the keys also while someone types. */
export function CommandPalette() {
  const { accounts } = useSession();
  const isShown = useSyncExternalStore(subscribe, () => isOpen);
  useModifierHotkey('k', () => setOpen(!isShown), isShown);
  const close = () => setOpen(false);
  if (!isShown) return null;
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

function setOpen(next: boolean): void {
  isOpen = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
