import { MODIFIER_LABEL } from '../../lib/hotkeys.ts';
import { DialogBody } from '../ui/dialog.tsx';
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

/** What the keys of the console do. */
export function ShortcutsList() {
  return (
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
  );
}
