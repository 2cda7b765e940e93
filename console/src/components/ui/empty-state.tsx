import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

interface EmptyStateProps {
  icon: LucideIcon;
  title: string;
  children: ReactNode;
  action?: ReactNode;
}

/** Nothing here yet, and what to do about it. */
export function EmptyState({ icon: Icon, title, children, action }: EmptyStateProps) {
  return (
    <div className="grid justify-items-center gap-1 px-6 py-14 text-center">
      <span className="mb-2 grid size-10 place-items-center rounded-[10px] bg-sunken text-ink-2">
        <Icon aria-hidden className="size-5" strokeWidth={1.6} />
      </span>
      <h2 className="font-semibold">{title}</h2>
      <div className="max-w-md text-ink-2">{children}</div>
      {action !== undefined && <div className="mt-4 flex gap-2">{action}</div>}
    </div>
  );
}
