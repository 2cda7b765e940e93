import { THEMES } from '@tollgate/core/people/display-preferences';
import { useSyncExternalStore } from 'react';
import { readStored, writeStored } from './stored.ts';

export type ThemeChoice = (typeof THEMES)[number];

/** Shared with public/theme.js, which sets the theme before anything is painted. */
const STORAGE_KEY = 'tollgate-theme';
const listeners = new Set<() => void>();
const systemIsDark = matchMedia('(prefers-color-scheme: dark)');
let choice = toChoice(readStored(STORAGE_KEY));

systemIsDark.addEventListener('change', apply);

export function useTheme(): ThemeChoice {
  return useSyncExternalStore(subscribe, () => choice);
}

/** Shows a theme, also at the next visit of this browser before the session is known. */
export function showTheme(next: ThemeChoice): void {
  if (next === choice) return;
  choice = next;
  writeStored(STORAGE_KEY, next);
  apply();
  for (const listener of listeners) listener();
}

function apply(): void {
  const isDark = choice === 'dark' || (choice === 'system' && systemIsDark.matches);
  document.documentElement.dataset['theme'] = isDark ? 'dark' : 'light';
}

function toChoice(stored: string | null): ThemeChoice {
  return THEMES.find((known) => known === stored) ?? 'system';
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
