import { NEW_KEY_BUTTON_ID } from './new-key-button.tsx';

export const menuButtonId = (keyId: string) => `key-menu-${keyId}`;

/**
 * Puts the focus back when a dialog closes: on the row's menu while the row is there, else on "New key".
 * The menu item that opened the dialog is long gone, so Radix cannot do it by itself.
 */
export function returnFocusTo(keyId: string | null): (event: Event) => void {
  return (event) => {
    event.preventDefault();
    const row = keyId === null ? null : document.getElementById(menuButtonId(keyId));
    (row ?? document.getElementById(NEW_KEY_BUTTON_ID) ?? document.getElementById('main'))?.focus();
  };
}

/** The same for any element; where it is gone, for the page. */
export function focusOn(elementId: string): (event: Event) => void {
  return (event) => {
    event.preventDefault();
    (document.getElementById(elementId) ?? document.getElementById('main'))?.focus();
  };
}
