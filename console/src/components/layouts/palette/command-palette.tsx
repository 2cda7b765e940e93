import { lazy, Suspense, useSyncExternalStore, type ComponentProps } from 'react';
import { useCurrentAccount } from '../../../lib/current-account.ts';
import { useModifierHotkey } from '../../../lib/hotkeys.ts';
import { returnFocusTo } from '../../../lib/return-focus.ts';
import { useSession } from '../../../lib/session.ts';
import { PaletteLoading } from './palette-loading.tsx';

// Fetched when it is first opened: the first page does not wait for it.
const PaletteDialog = lazy(async () => {
  const { PaletteDialog: Dialog } = await import('./palette-dialog.tsx');
  return { default: Dialog };
});

let isOpen = false;
/** What had the focus before. */
let opener: Element | null = null;
/** What was typed before the palette was loaded. */
let typed = '';
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
  const props = { getInitialText: () => typed, onClose: close, onCloseAutoFocus: returnFocusTo(opener) };
  return (
    <Suspense
      fallback={
        <PaletteLoading
          onType={(text) => {
            typed = text;
          }}
          onClose={close}
        />
      }
    >
      {accounts.length === 0 ? <PaletteDialog account={null} {...props} /> : <OfAccount {...props} />}
    </Suspense>
  );
}

function OfAccount(props: Omit<ComponentProps<typeof PaletteDialog>, 'account'>) {
  return <PaletteDialog account={useCurrentAccount()} {...props} />;
}

function setOpen(next: boolean): void {
  if (next) {
    opener = document.activeElement;
    typed = '';
  }
  isOpen = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
