import { Link } from '@tanstack/react-router';
import { paths } from '../../lib/paths.ts';
import { useSession } from '../../lib/session.ts';
import { BrandMark } from '../ui/brand.tsx';
import { AccountBox } from './account-box.tsx';
import { PaletteButton } from './palette/palette-button.tsx';
import { usePages } from './pages.ts';
import { RailLinks } from './rail-link.tsx';
import { UserMenu } from './user-menu.tsx';

/** The column at the left; on phones the sheet shows the same. `onNavigate` lets the sheet close itself. */
export function Rail({ onNavigate }: { onNavigate?: () => void }) {
  const { user, accounts } = useSession();
  const pages = usePages();
  return (
    <>
      <div className="mb-1.5 flex items-center justify-between">
        <Link
          to={paths.overview}
          onClick={onNavigate}
          className="flex min-h-8 items-center gap-2.5 rounded-md px-2 text-[15px] font-semibold tracking-[-0.01em]"
        >
          <BrandMark />
          Tollgate
        </Link>
        {accounts.length > 0 && <PaletteButton className="max-md:hidden" />}
      </div>
      {accounts.length > 0 && <AccountBox />}
      <nav
        aria-label="Main"
        className="-mx-3 flex flex-col gap-0.5 px-3 py-0.5 md:min-h-0 md:flex-1 md:overflow-y-auto"
      >
        {pages.map((group) => (
          <RailLinks key={group.title} {...group} onNavigate={onNavigate} />
        ))}
      </nav>
      {user !== null && <UserMenu email={user.email} />}
    </>
  );
}
