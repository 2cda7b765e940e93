import type { KeyboardEvent } from 'react';

const STEPS: Record<string, number> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 };
const CONTROLS = 'a[href], button:not(:disabled)';

/** Moves the focus to the same control of the next or previous row, with the arrow keys or `j` and `k`. */
export function moveRowFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = STEPS[event.key];
  if (step === undefined || event.defaultPrevented) return;
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  const { target } = event;
  // An arrow key on a menu button opens the menu.
  if (!(target instanceof HTMLElement) || !target.matches(CONTROLS) || target.hasAttribute('aria-haspopup'))
    return;
  const row = target.closest('tr');
  if (row === null) return;
  const at = controlsIn(row).indexOf(target);
  const next = findControl(row, step, at);
  if (next === null) return;
  event.preventDefault();
  // The header of the table may cover the row, so the row decides how far to scroll.
  next.focus({ preventScroll: true });
  next.closest('tr')?.scrollIntoView({ block: 'nearest' });
}

/** Skips rows without a control, such as totals. */
function findControl(row: HTMLTableRowElement, step: number, at: number): HTMLElement | null {
  let next = step > 0 ? row.nextElementSibling : row.previousElementSibling;
  while (next !== null) {
    const controls = controlsIn(next);
    const control = controls[Math.min(at, controls.length - 1)];
    if (control !== undefined) return control;
    next = step > 0 ? next.nextElementSibling : next.previousElementSibling;
  }
  return null;
}

/** The visible controls of a row. */
function controlsIn(row: Element): HTMLElement[] {
  return [...row.querySelectorAll<HTMLElement>(CONTROLS)].filter((control) => control.checkVisibility());
}
