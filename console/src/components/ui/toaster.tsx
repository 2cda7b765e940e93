import { useEffect, useSyncExternalStore } from 'react';
import { loadedToasts, loadToasts, onToastsLoaded } from '../../lib/toast.ts';

/** Shows toasts, which report only what happened out of sight. */
export function Toaster() {
  const sonner = useSyncExternalStore(onToastsLoaded, loadedToasts);
  // Most toasts report the result of a click, so they load with the first one.
  useEffect(() => {
    const listening = new AbortController();
    const load = () => {
      listening.abort();
      void loadToasts();
    };
    addEventListener('pointerdown', load, { signal: listening.signal });
    addEventListener('keydown', load, { signal: listening.signal });
    return () => listening.abort();
  }, []);
  if (sonner === null) return null;
  return (
    <sonner.Toaster
      position="bottom-right"
      offset={20}
      toastOptions={{
        unstyled: true,
        classNames: {
          toast:
            'flex w-full items-center gap-3 rounded-[10px] border bg-raised px-3.5 py-3 text-[13px] text-ink shadow-pop font-sans',
          title: 'font-medium',
          description: 'text-ink-2',
          success: '[&_[data-icon]]:text-accent',
          error: '[&_[data-icon]]:text-danger',
          actionButton:
            'ml-auto h-8 shrink-0 rounded-lg border border-line-strong px-2.5 font-medium hover:bg-sunken',
        },
      }}
    />
  );
}
