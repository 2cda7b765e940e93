import { Button } from '../../components/ui/button.tsx';
import { Kbd } from '../../components/ui/kbd.tsx';

/** Receives the focus when a dialog of the page closes. */
export const NEW_KEY_BUTTON_ID = 'new-key';

export function NewKeyButton({ onClick }: { onClick: () => void }) {
  return (
    <Button id={NEW_KEY_BUTTON_ID} variant="primary" aria-keyshortcuts="n" onClick={onClick}>
      New key
      <span aria-hidden className="pointer-coarse:hidden">
        <Kbd isOnFill>N</Kbd>
      </span>
    </Button>
  );
}
