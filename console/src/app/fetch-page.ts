import { paths } from '../lib/paths.ts';
import { router } from './router.tsx';

/** Fetches the code of the page that was asked for next to the session, which the router waits for before it does. */
export function fetchPage(): void {
  const { pathname } = router.latestLocation;
  // Which leads on to it.
  const [matchedRoutes] = router.getMatchedRoutes(pathname === paths.home ? paths.overview : pathname);
  for (const { options } of matchedRoutes) {
    const { component } = options;
    // It never rejects: where it fails, the router tries again, and tells of it.
    if (component !== undefined && 'preload' in component) void component.preload?.();
  }
}
