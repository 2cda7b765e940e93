import type { ReactNode } from 'react';
import { Card } from './card.tsx';

/** Figures side by side: four if there is room. */
export function StatGrid({ children }: { children: ReactNode }) {
  return <div className="grid grid-cols-2 gap-3.5 lg:grid-cols-4">{children}</div>;
}

interface StatProps {
  label: ReactNode;
  /** The figure. */
  children: ReactNode;
  /** A line on what it means. */
  note?: ReactNode;
}

/** One figure with its name and a line below. */
export function Stat({ label, children, note }: StatProps) {
  return (
    <Card className="min-w-0 px-4 py-3.5 max-sm:px-3">
      <dl>
        <dt className="text-[13px] text-ink-2">{label}</dt>
        <dd className="mt-1 text-2xl/8 font-semibold tracking-[-0.02em] break-words max-sm:text-xl/7">
          {children}
        </dd>
        <dd className="min-h-[18px] text-[12.5px]/[18px] text-ink-3">{note}</dd>
      </dl>
    </Card>
  );
}
