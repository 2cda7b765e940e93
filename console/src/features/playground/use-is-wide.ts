import { useSyncExternalStore } from 'react';

/** As Tailwind's `lg`: next to one conversation there is room for the settings. */
const wideForOne = matchMedia('(min-width: 64rem)');
/** Next to three conversations, too. */
const wideForSeveral = matchMedia('(min-width: 112rem)');

export function useIsWide(isComparing: boolean): boolean {
  const query = isComparing ? wideForSeveral : wideForOne;
  return useSyncExternalStore(
    (listener) => {
      query.addEventListener('change', listener);
      return () => query.removeEventListener('change', listener);
    },
    () => query.matches,
  );
}
