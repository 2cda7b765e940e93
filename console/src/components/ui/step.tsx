import type { ReactNode } from 'react';

/** A numbered step of a guide. */
export function Step({ number, title, children }: { number: number; title: string; children: ReactNode }) {
  return (
    <section className="grid grid-cols-[28px_minmax(0,1fr)] gap-x-3 p-5 max-sm:p-4">
      <span
        aria-hidden
        className="grid size-6 place-items-center rounded-full bg-accent-soft text-xs font-semibold text-accent"
      >
        {number}
      </span>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-2.5">
        <h2 className="font-semibold">{title}</h2>
        {children}
      </div>
    </section>
  );
}
