import { paths } from '../lib/paths.ts';
import { router } from './router.tsx';

/** Loads the page's code in parallel with the session, for which the router waits. */
export function fetchPage(): void {
  const { pathname } = router.latestLocation;
  // Which leads on to it.
  const [matchedRoutes] = router.getMatchedRoutes(pathname === paths.home ? paths.overview : pathname);
  for (const { options } of matchedRoutes) {
    const { component } = options;
    // It never rejects: on failure, the router tries again and reports the error.
    if (component !== undefined && 'preload' in component) void component.preload?.();
  }
}
