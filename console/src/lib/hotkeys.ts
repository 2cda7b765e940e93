import { useEffect, useEffectEvent } from 'react';

/** Where a letter is text, not a shortcut. */
const TYPING = 'input, textarea, select, [contenteditable="true"], [role="combobox"]';
const OPEN_LAYER = '[role="dialog"], [role="alertdialog"], [role="menu"]';

/**
 * Calls `run` when `key` is pressed without modifiers: not while the user types, nor while a dialog or a menu is open.
 * @param key as `KeyboardEvent.key` names it, in lower case: `n`, `/`, `?`
 */
export function useHotkey(key: string, run: () => void, isEnabled = true): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== key || event.repeat) return;
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (event.target instanceof Element && event.target.closest(TYPING) !== null) return;
    if (document.querySelector(OPEN_LAYER) !== null) return;
    event.preventDefault();
    run();
  });
  useEffect(() => {
    if (!isEnabled) return undefined;
    const listener = (event: KeyboardEvent) => onKeyDown(event);
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, [isEnabled]);
}

/**
 * Calls `run` when `key` is pressed with ⌘ or Ctrl, also while someone types; not while a dialog or a menu is open,
 * unless `key` closes it again.
 */
export function useModifierHotkey(key: string, run: () => void, isOwnLayerOpen: boolean): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== key || event.repeat || event.altKey || event.shiftKey) return;
    if (event.ctrlKey === event.metaKey) return;
    event.preventDefault();
    if (isOwnLayerOpen || document.querySelector(OPEN_LAYER) === null) run();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKeyDown(event);
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, []);
}

/** Apple's keyboards say ⌘ where others say Ctrl. */
export const MODIFIER_LABEL = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl';
