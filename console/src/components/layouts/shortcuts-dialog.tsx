import { useSyncExternalStore } from 'react';
import { MODIFIER_LABEL, useHotkey } from '../../lib/hotkeys.ts';
import { Dialog, DialogBody, DialogContent } from '../ui/dialog.tsx';
import { Kbd } from '../ui/kbd.tsx';

const SHORTCUTS = [
  { keys: [MODIFIER_LABEL, 'K'], does: 'Command palette' },
  { keys: ['N'], does: 'New key (API keys page)' },
  { keys: ['/'], does: 'Search this page' },
  { keys: ['J', 'K'], does: 'Move between rows of a table' },
  { keys: [MODIFIER_LABEL, '↵'], does: 'Create key (in the dialog)' },
  { keys: ['↵'], does: 'Send message (playground)' },
  { keys: ['Esc'], does: 'Close dialog or menu' },
  { keys: ['?'], does: 'Keyboard shortcuts' },
] as const;

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
        <DialogBody>
          <dl className="divide-y">
            {SHORTCUTS.map(({ keys, does }) => (
              <div key={does} className="flex items-center justify-between gap-4 py-2">
                <dt>{does}</dt>
                <dd className="flex gap-1">
                  {keys.map((key) => (
                    <Kbd key={key} isShownOnTouch>
                      {key}
                    </Kbd>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </DialogBody>
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
