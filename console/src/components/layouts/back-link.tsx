import { Link, type LinkProps } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';

/** Above a page's title: back to the list that it is one of. */
export function BackLink({ to, children }: { to: NonNullable<LinkProps['to']>; children: string }) {
  return (
    <Link
      to={to}
      className="mb-1 inline-flex min-h-8 items-center gap-1.5 rounded-sm text-[13px] text-ink-2 hover:text-ink pointer-coarse:min-h-11"
    >
      <ArrowLeft aria-hidden className="size-3.5" /> {children}
    </Link>
  );
}
