import { useQuery } from '@tanstack/react-query';
import { CloudOff } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useIsReachable } from '../../lib/connection.ts';
import { queryClient } from '../../lib/query-client.ts';
import { sessionQuery } from '../../lib/session.ts';

const PROBE_MS = 3_000;

/** Says that the server is down, asks for it every three seconds, and catches up when it is back. */
export function ConnectionBanner() {
  const isReachable = useIsReachable();
  const wasDown = useRef(false);
  useQuery({ ...sessionQuery, enabled: !isReachable, refetchInterval: PROBE_MS, retry: false });
  useEffect(() => {
    if (!isReachable) {
      wasDown.current = true;
    } else if (wasDown.current) {
      wasDown.current = false;
      void queryClient.invalidateQueries();
    }
  }, [isReachable]);
  if (isReachable) return null;
  return (
    <output className="fixed inset-x-0 bottom-0 z-50 flex items-center justify-center gap-2 border-t border-warn-line bg-warn-soft px-4 py-2.5 text-[13px] font-medium text-warn">
      <CloudOff aria-hidden className="size-4 shrink-0" />
      The console&rsquo;s server can&rsquo;t be reached. Trying again every few seconds…
    </output>
  );
}
