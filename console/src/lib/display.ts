import { DEFAULT_DISPLAY, type DisplayPreferences } from '@tollgate/core/people/display-preferences';
import { useSyncExternalStore } from 'react';
import { setMoneyPrecision } from './format/money.ts';
import { setTimeZone } from './format/time-zone.ts';
import { showTheme } from './theme.ts';

const listeners = new Set<() => void>();
let shown = DEFAULT_DISPLAY;

/** Shows dates and amounts as the user wants them. Components that stay open render again with `useDisplay`. */
export function applyDisplay(display: DisplayPreferences): void {
  if (display.theme !== null) showTheme(display.theme);
  if (display.timeZone === shown.timeZone && display.moneyPrecision === shown.moneyPrecision) return;
  shown = display;
  setTimeZone(display.timeZone);
  setMoneyPrecision(display.moneyPrecision);
  for (const listener of listeners) listener();
}

/** The applied preferences. */
export function useDisplay(): DisplayPreferences {
  return useSyncExternalStore(subscribe, () => shown);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
