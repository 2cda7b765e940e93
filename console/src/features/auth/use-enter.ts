import { useRouter } from '@tanstack/react-router';
import { paths, toInternalPath } from '../../app/paths.ts';
import { refreshSession } from '../../lib/session.ts';

/**
 * Goes on into the console once there is a session: to the page that was asked for, else to the keys.
 * The router's guards send an unverified login to its verification.
 */
export function useEnter(): (redirect?: string) => Promise<void> {
  const router = useRouter();
  return async (redirect) => {
    await refreshSession();
    router.history.push(toInternalPath(redirect) ?? paths.keys);
  };
}
