import { useSyncExternalStore } from 'react';
import { useHotkey } from '../../lib/hotkeys.ts';
import { Dialog, DialogContent } from '../ui/dialog.tsx';
import { lazyDialog } from '../ui/lazy-dialog.tsx';

const ShortcutsList = lazyDialog(async () => (await import('./shortcuts-list.tsx')).ShortcutsList);

let isOpen = false;
const listeners = new Set<() => void>();

export function openShortcuts(): void {
  setOpen(true);
}

/** Opens by `?` on any page of the signed-in console, and from the person's menu. */
export function ShortcutsDialog() {
  const isShown = useSyncExternalStore(subscribe, () => isOpen);
  useHotkey('?', openShortcuts);
  return (
    <Dialog open={isShown} onOpenChange={setOpen}>
      <DialogContent title="Keyboard shortcuts" className="max-w-[400px]">
        <ShortcutsList />
      </DialogContent>
    </Dialog>
  );
}

function setOpen(next: boolean): void {
  isOpen = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
