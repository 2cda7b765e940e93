import { Menu } from 'lucide-react';
import { Outlet, useLocation } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useSession } from '../../lib/session.ts';
import { BrandMark } from '../ui/brand.tsx';
import { Button } from '../ui/button.tsx';
import { Sheet, SheetContent, SheetTrigger } from '../ui/sheet.tsx';
import { TooltipProvider } from '../ui/tooltip.tsx';
import { paths } from '../../lib/paths.ts';
import { useTwoFactorBar, type TwoFactorBar } from '../../lib/two-factor-bar.ts';
import { ConfirmIdentity } from './confirm-identity.tsx';
import { InvitationsBanner } from './invitations-banner.tsx';
import { LiveChanges } from './live-changes.tsx';
import { LostAccounts } from './lost-accounts.tsx';
import { InsideMain } from './main-context.ts';
import { CommandPalette } from './palette/command-palette.tsx';
import { PaletteButton } from './palette/palette-button.tsx';
import { Rail } from './rail.tsx';
import { ShortcutsDialog } from './shortcuts-dialog.tsx';
import { SkipLink } from './skip-link.tsx';

/** Few people ever see these: the first page does not wait for them. */
const NoAccount = lazy(async () => ({ default: (await import('./no-account.tsx')).NoAccount }));
const ViewingBanner = lazy(async () => ({
  default: (await import('./viewing-banner.tsx')).ViewingBanner,
}));
const TwoFactorRequired = lazy(async () => ({
  default: (await import('./two-factor-required.tsx')).TwoFactorRequired,
}));

/** The signed-in console: the rail at the left, a bar with a sheet on phones, the page next to it. */
export function AppLayout() {
  const main = useMainFocus();
  const isBarred = useTwoFactorBar() !== null;
  const hasAccount = useSession().accounts.length > 0;
  return (
    <TooltipProvider delayDuration={250}>
      <SkipLink />
      <div className="grid min-h-dvh grid-rows-[auto_1fr] print:block md:grid-cols-[232px_minmax(0,1fr)] md:grid-rows-1">
        <PhoneBar hasAccount={hasAccount} />
        <aside className="sticky top-0 hidden h-dvh flex-col border-r px-3 py-3.5 md:flex print:hidden">
          <Rail />
        </aside>
        <main
          ref={main}
          id="main"
          tabIndex={-1}
          className="w-full max-w-page min-w-0 px-4 py-5 focus:outline-none md:px-9 md:pt-[26px] md:pb-12"
        >
          <InsideMain value>
            <Page />
          </InsideMain>
        </main>
      </div>
      {hasAccount && !isBarred && <CommandPalette />}
      <ShortcutsDialog />
      <ConfirmIdentity />
      {!isBarred && <LiveChanges />}
      <LostAccounts />
    </TooltipProvider>
  );
}

/** Who has left every account still has their settings, and may run the installation. */
const WITHOUT_ACCOUNT = /^\/(settings|operator)(\/|$)/;

/** The settings enrol a second factor; operator pages do not belong to an account. */
function mayOpen({ by }: TwoFactorBar, pathname: string): boolean {
  return by === 'installation' ? pathname === paths.settings : WITHOUT_ACCOUNT.test(pathname);
}

function Page() {
  const { user, accounts, viewing } = useSession();
  const { pathname } = useLocation();
  const bar = useTwoFactorBar();
  if (user === null) return null;
  if (bar !== null && !mayOpen(bar, pathname))
    return (
      <Suspense fallback={null}>
        <TwoFactorRequired />
      </Suspense>
    );
  if (accounts.length === 0 && !WITHOUT_ACCOUNT.test(pathname))
    return (
      <Suspense fallback={null}>
        <NoAccount />
      </Suspense>
    );
  return (
    <>
      {viewing !== null && (
        <Suspense fallback={null}>
          <ViewingBanner />
        </Suspense>
      )}
      {bar?.by !== 'installation' && <InvitationsBanner />}
      <Outlet />
    </>
  );
}

function PhoneBar({ hasAccount }: { hasAccount: boolean }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <header className="sticky top-0 z-30 flex h-14 items-center gap-1 border-b bg-bg px-2 md:hidden print:hidden">
      <Sheet open={isOpen} onOpenChange={setIsOpen}>
        <SheetTrigger asChild>
          <Button variant="ghost" size="icon" aria-label="Open menu" className="size-11">
            <Menu aria-hidden className="size-5" />
          </Button>
        </SheetTrigger>
        <SheetContent title="Menu">
          <Rail onNavigate={() => setIsOpen(false)} />
        </SheetContent>
      </Sheet>
      <span className="flex items-center gap-2.5 text-[15px] font-semibold tracking-[-0.01em]">
        <BrandMark />
        Tollgate
      </span>
      {hasAccount && <PaletteButton className="ml-auto size-11" />}
    </header>
  );
}

/** After a change of page the focus starts in the page, not on the link that was left behind. */
function useMainFocus() {
  const ref = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  const previous = useRef(pathname);
  useEffect(() => {
    if (previous.current === pathname) return;
    previous.current = pathname;
    ref.current?.focus({ preventScroll: true });
  }, [pathname]);
  return ref;
}
