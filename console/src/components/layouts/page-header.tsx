import type { ReactNode } from 'react';
import { useTitle } from '../../lib/use-title.ts';

interface PageHeaderProps {
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}

/** A page's title (the document's too), one line on what it is for, and its main action. */
export function PageHeader({ title, children, action }: PageHeaderProps) {
  useTitle(title);
  return (
    <header className="mb-5 flex flex-wrap items-start gap-3">
      <div className="min-w-0 flex-1 basis-64">
        <h1 className="text-xl font-semibold tracking-[-0.015em] break-words">{title}</h1>
        {children !== undefined && <p className="mt-0.5 text-ink-2">{children}</p>}
      </div>
      {action !== undefined && (
        <div className="flex flex-wrap gap-2 max-sm:w-full max-sm:*:flex-1">{action}</div>
      )}
    </header>
  );
}
