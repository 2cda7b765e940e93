import type * as sonnerModule from 'sonner';
import type { ExternalToast } from 'sonner';

type Sonner = typeof sonnerModule;

let sonner: Sonner | null = null;
const listeners = new Set<() => void>();

/** Loads the library of the toasts. Without a network it stays unloaded, and the next toast tries again. */
export async function loadToasts(): Promise<Sonner | null> {
  try {
    sonner ??= await import('sonner');
    for (const listener of listeners) listener();
  } catch {
    // The connection banner reports the outage.
  }
  return sonner;
}

/** @returns null until the library is loaded */
export function loadedToasts(): Sonner | null {
  return sonner;
}

export function onToastsLoaded(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function show(kind: 'success' | 'error' | 'info') {
  return (title: string, options?: ExternalToast) =>
    void loadToasts().then((loaded) => loaded?.toast[kind](title, options));
}

/** Short messages in a corner of the window. */
export const toast = { success: show('success'), error: show('error'), info: show('info') };
