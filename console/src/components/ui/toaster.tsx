import { Toaster as Sonner } from 'sonner';

/** Toasts, for what happened out of sight and for nothing else. */
export function Toaster() {
  return (
    <Sonner
      position="bottom-right"
      offset={20}
      toastOptions={{
        unstyled: true,
        classNames: {
          toast:
            'flex w-full items-center gap-3 rounded-[10px] border bg-raised px-3.5 py-3 text-[13px] text-ink shadow-pop font-sans',
          title: 'font-medium',
          description: 'text-ink-2',
          icon: 'text-accent',
          actionButton:
            'ml-auto h-8 shrink-0 rounded-lg border border-line-strong px-2.5 font-medium hover:bg-sunken',
        },
      }}
    />
  );
}
