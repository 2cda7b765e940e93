import { useEffect } from 'react';

/** Sets the document's title: `API keys · Tollgate`. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Tollgate`;
  }, [title]);
}
