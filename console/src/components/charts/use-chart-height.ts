import { useSyncExternalStore } from 'react';

const LEAST_PX = 260;
const MOST_PX = 460;
const SHARE_OF_WINDOW = 0.3;

/** The height of the main chart of a page: it uses the room of a high window. */
export function useChartHeight(): number {
  return useSyncExternalStore(subscribe, getHeight);
}

function getHeight(): number {
  return Math.round(Math.min(MOST_PX, Math.max(LEAST_PX, innerHeight * SHARE_OF_WINDOW)));
}

function subscribe(listener: () => void): () => void {
  addEventListener('resize', listener);
  return () => removeEventListener('resize', listener);
}
