import { Link, Outlet } from '@tanstack/react-router';
import { paths } from '../../lib/paths.ts';
import { AppLayout } from '../../components/layouts/app-layout.tsx';
import { BrandMark } from '../../components/ui/brand.tsx';
import { Button } from '../../components/ui/button.tsx';
import { TooltipProvider } from '../../components/ui/tooltip.tsx';
import { useSession } from '../../lib/session.ts';

/** Shows the mailbox without the navigation if there is no session. */
export function MailboxLayout() {
  const { user } = useSession();
  if (user?.emailVerified === true) return <AppLayout />;
  return (
    <TooltipProvider>
      <header className="flex h-14 items-center justify-between border-b px-4 md:px-9">
        <Link to={paths.home} className="flex items-center gap-2.5 rounded-md text-[15px] font-semibold">
          <BrandMark />
          Tollgate
        </Link>
        <Button asChild variant="ghost" size="sm">
          {user === null ? (
            <Link to={paths.signIn}>Sign in</Link>
          ) : (
            <Link to={paths.verify}>Enter a code</Link>
          )}
        </Button>
      </header>
      <main className="w-full max-w-page px-4 py-5 md:px-9 md:pt-[26px]">
        <Outlet />
      </main>
    </TooltipProvider>
  );
}
