import { Link, Outlet } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { paths } from '../../lib/paths.ts';
import { useTitle } from '../../lib/use-title.ts';
import { BrandMark } from '../ui/brand.tsx';
import { Card } from '../ui/card.tsx';

/** One card in the middle: everything before the console itself. */
export function AuthLayout() {
  return (
    <main className="grid min-h-dvh content-center justify-items-center gap-6 px-4 py-10 max-sm:content-start">
      <Link
        to={paths.home}
        className="flex items-center gap-2.5 rounded-md px-2 py-1 text-[17px] font-semibold tracking-[-0.01em]"
      >
        <BrandMark size={22} />
        Tollgate
      </Link>
      <Outlet />
    </main>
  );
}

interface AuthCardProps {
  title: string;
  description?: ReactNode;
  children: ReactNode;
  /** Under the card: the way to the neighbouring page. */
  footer?: ReactNode;
}

export function AuthCard({ title, description, children, footer }: AuthCardProps) {
  useTitle(title);
  return (
    <div className="grid w-full max-w-[400px] gap-5">
      <Card className="px-6 py-6 sm:px-7">
        <h1 className="text-xl font-semibold tracking-[-0.015em]">{title}</h1>
        {description !== undefined && <div className="mt-1 text-ink-2">{description}</div>}
        <div className="mt-5 grid gap-4">{children}</div>
      </Card>
      {footer !== undefined && <div className="text-center text-ink-2">{footer}</div>}
    </div>
  );
}
