import { Link } from '@tanstack/react-router';
import { paths } from '../../lib/paths.ts';
import type { ConsolePage, PageGroup } from './pages.ts';

interface RailLinksProps extends PageGroup {
  /** Lets the sheet close itself. */
  onNavigate: (() => void) | undefined;
}

export function RailLinks({ title, pages, onNavigate }: RailLinksProps) {
  return (
    <>
      {title !== null && <RailSection>{title}</RailSection>}
      {pages.map((page) => (
        <RailLink key={page.to} {...page} onNavigate={onNavigate} />
      ))}
    </>
  );
}

function RailLink({ to, icon: Icon, label, onNavigate }: ConsolePage & Pick<RailLinksProps, 'onNavigate'>) {
  return (
    <Link
      to={to}
      // The paths of the other pages of operators begin with its path.
      activeOptions={{ exact: to === paths.operatorOverview, includeSearch: false }}
      onClick={onNavigate}
      className="group flex h-8 shrink-0 items-center gap-2.5 rounded-md px-[9px] text-ink-2 hover:text-ink data-[status=active]:bg-sunken data-[status=active]:font-medium data-[status=active]:text-ink pointer-coarse:h-11 pointer-fine:[@media(max-height:900px)]:h-[30px]"
    >
      <Icon
        aria-hidden
        strokeWidth={1.8}
        className="size-4 text-ink-3 group-data-[status=active]:text-accent"
      />
      {label}
    </Link>
  );
}

function RailSection({ children }: { children: string }) {
  return (
    <div className="px-[9px] pt-3.5 pb-1 [@media(max-height:900px)]:pt-2 text-[11px]/4 tracking-[0.04em] text-ink-3">
      {children}
    </div>
  );
}
