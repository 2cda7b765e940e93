import { createRoute, createRouter, lazyRouteComponent, notFound, redirect } from '@tanstack/react-router';
import { AuthLayout } from '../components/layouts/auth-layout.tsx';
import {
  forgotSearchSchema,
  signInSearchSchema,
  signUpSearchSchema,
  resetSearchSchema,
  tokenSearchSchema,
  verifySearchSchema,
} from '../features/auth/search.ts';
import { loadSession } from '../lib/session.ts';
import { app, root } from './app-route.tsx';
import { billingRoutes } from './billing-routes.tsx';
import { buildRoutes } from './build-routes.tsx';
import { Broken, NotFound, Pending } from './fallbacks.tsx';
import { requireAddress, requireMailbox, requireVisitor } from './guards.ts';
import { keysRoutes } from './keys-routes.tsx';
import { operatorRoutes } from './operator-routes.tsx';
import { usageRoutes } from './usage-routes.tsx';
import { paths } from '../lib/paths.ts';
import { requestErrors, requests, requestSession, requestSessions } from './requests-route.tsx';
import { teamRoutes } from './team-routes.tsx';

const home = createRoute({
  getParentRoute: () => root,
  path: paths.home,
  beforeLoad: () => {
    // oxlint-disable-next-line typescript/only-throw-error -- the router's way to redirect
    throw redirect({ to: paths.overview });
  },
});

const auth = createRoute({ getParentRoute: () => root, id: 'auth', component: AuthLayout });

const signIn = createRoute({
  getParentRoute: () => auth,
  path: paths.signIn,
  validateSearch: signInSearchSchema,
  beforeLoad: requireVisitor,
  component: lazyRouteComponent(() => import('../features/auth/sign-in-page.tsx'), 'SignInPage'),
});

const signInCode = createRoute({
  getParentRoute: () => auth,
  path: paths.signInCode,
  validateSearch: signInSearchSchema,
  beforeLoad: requireVisitor,
  component: lazyRouteComponent(() => import('../features/auth/second-step-page.tsx'), 'SecondStepPage'),
});

const signInExternal = createRoute({
  getParentRoute: () => auth,
  path: paths.signInExternal,
  // Anyone who links a provider is signed in already.
  beforeLoad: async () => void (await loadSession()),
  component: lazyRouteComponent(
    () => import('../features/auth/external/external-return-page.tsx'),
    'ExternalReturnPage',
  ),
});

const signUp = createRoute({
  getParentRoute: () => auth,
  path: paths.signUp,
  validateSearch: signUpSearchSchema,
  beforeLoad: requireVisitor,
  component: lazyRouteComponent(() => import('../features/auth/sign-up-page.tsx'), 'SignUpPage'),
});

const verify = createRoute({
  getParentRoute: () => auth,
  path: paths.verify,
  validateSearch: verifySearchSchema,
  beforeLoad: ({ search }) => requireAddress(search),
  component: lazyRouteComponent(() => import('../features/auth/verify-page.tsx'), 'VerifyPage'),
});

const forgot = createRoute({
  getParentRoute: () => auth,
  path: paths.forgot,
  validateSearch: forgotSearchSchema,
  beforeLoad: requireVisitor,
  component: lazyRouteComponent(() => import('../features/auth/forgot-page.tsx'), 'ForgotPage'),
});

const reset = createRoute({
  getParentRoute: () => auth,
  path: paths.reset,
  validateSearch: resetSearchSchema,
  component: lazyRouteComponent(() => import('../features/auth/reset-page.tsx'), 'ResetPage'),
});

const join = createRoute({
  getParentRoute: () => auth,
  path: paths.join,
  validateSearch: tokenSearchSchema,
  loader: async () => {
    await loadSession();
  },
  component: lazyRouteComponent(() => import('../features/team/join-page.tsx'), 'JoinPage'),
});

const settings = createRoute({
  getParentRoute: () => app,
  path: paths.settings,
  component: lazyRouteComponent(() => import('../features/settings/settings-page.tsx'), 'SettingsPage'),
});

const confirmEmail = createRoute({
  getParentRoute: () => app,
  path: paths.confirmEmail,
  validateSearch: tokenSearchSchema,
  component: lazyRouteComponent(
    () => import('../features/settings/confirm-email-page.tsx'),
    'ConfirmEmailPage',
  ),
});

const mailboxLayout = createRoute({
  getParentRoute: () => root,
  id: 'mailbox',
  beforeLoad: async () => {
    const { hasMailbox } = await requireMailbox();
    // oxlint-disable-next-line typescript/only-throw-error -- the router's way to say 404
    if (!hasMailbox) throw notFound();
  },
  component: lazyRouteComponent(() => import('../features/mailbox/mailbox-layout.tsx'), 'MailboxLayout'),
});

const mailbox = createRoute({
  getParentRoute: () => mailboxLayout,
  path: paths.mailbox,
  component: lazyRouteComponent(() => import('../features/mailbox/mailbox-page.tsx'), 'MailboxPage'),
});

const mail = createRoute({
  getParentRoute: () => mailboxLayout,
  path: paths.mail,
  component: lazyRouteComponent(() => import('../features/mailbox/mail-page.tsx'), 'MailPage'),
});

const routeTree = root.addChildren([
  home,
  auth.addChildren([signIn, signInCode, signInExternal, signUp, verify, forgot, reset, join]),
  app.addChildren([
    ...usageRoutes,
    ...keysRoutes,
    requests,
    requestErrors,
    requestSession,
    requestSessions,
    ...billingRoutes,
    settings,
    confirmEmail,
    ...teamRoutes,
    ...buildRoutes,
    ...operatorRoutes,
  ]),
  mailboxLayout.addChildren([mailbox, mail]),
]);

/** Every page of the console, with its guard. Each page is a separate chunk, fetched when a link is pointed at. */
export const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  // Queries have their own cache: the router must not add a second one.
  defaultPreloadStaleTime: 0,
  scrollRestoration: true,
  defaultNotFoundComponent: NotFound,
  defaultErrorComponent: Broken,
  defaultPendingComponent: Pending,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
