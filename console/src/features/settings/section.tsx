import { useId, type ReactNode } from 'react';
import { Card } from '../../components/ui/card.tsx';

/** A settings section: description on the left, form on the right. */
export function Section(props: { title: string; description: ReactNode; children: ReactNode }) {
  const headingId = useId();
  return (
    <Card>
      <section
        aria-labelledby={headingId}
        className="grid gap-x-10 gap-y-4 p-5 lg:grid-cols-[minmax(0,5fr)_minmax(0,7fr)]"
      >
        <div>
          <h2 id={headingId} className="font-semibold">
            {props.title}
          </h2>
          <div className="mt-0.5 text-[13px] text-ink-2">{props.description}</div>
        </div>
        <div className="min-w-0">{props.children}</div>
      </section>
    </Card>
  );
}
