import { useSyncExternalStore } from 'react';

/** As Tailwind's `lg`: next to the conversation there is room for the settings. */
const wide = matchMedia('(min-width: 64rem)');

export function useIsWide(): boolean {
  return useSyncExternalStore(subscribe, () => wide.matches);
}

function subscribe(listener: () => void): () => void {
  wide.addEventListener('change', listener);
  return () => wide.removeEventListener('change', listener);
}
