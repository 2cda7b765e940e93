import { NEW_KEY_BUTTON_ID } from './new-key-button.tsx';

export const menuButtonId = (keyId: string) => `key-menu-${keyId}`;

/**
 * Restores the focus when a dialog closes: to the row's menu, or to "New key" if the row no longer exists.
 * Radix can't do this, because the menu item that opened the dialog is unmounted.
 */
export function returnFocusTo(keyId: string | null): (event: Event) => void {
  return (event) => {
    event.preventDefault();
    const row = keyId === null ? null : document.getElementById(menuButtonId(keyId));
    (row ?? document.getElementById(NEW_KEY_BUTTON_ID) ?? document.getElementById('main'))?.focus();
  };
}

/** Like `returnFocusTo` for any element, with the page as the fallback. */
export function focusOn(elementId: string): (event: Event) => void {
  return (event) => {
    event.preventDefault();
    (document.getElementById(elementId) ?? document.getElementById('main'))?.focus();
  };
}
