import { CalendarRange } from 'lucide-react';
import { useState, type SubmitEvent } from 'react';
import { Button } from '../../components/ui/button.tsx';
import { Field } from '../../components/ui/field.tsx';
import { Input } from '../../components/ui/input.tsx';
import { Popover, PopoverContent, PopoverTrigger } from '../../components/ui/popover.tsx';
import { visitorTimeZone } from '../../lib/format/time-zone.ts';
import type { UsageReport } from '../../lib/trpc.ts';
import { useNow } from '../../lib/use-now.ts';
import type { UsageChoice } from './choice.ts';
import { describeDays } from './describe-periods.ts';
import { useSetSearch } from './use-set-search.ts';

const CLOCK_MS = 60_000;

interface DatesPopoverProps {
  choice: UsageChoice;
  report: UsageReport | undefined;
}

/** Picks a date range, end date included. */
export function DatesPopover({ choice, report }: DatesPopoverProps) {
  const [isOpen, setIsOpen] = useState(false);
  const isPicked = choice.range === null;
  return (
    <Popover open={isOpen} onOpenChange={setIsOpen}>
      <PopoverTrigger asChild>
        <Button size="sm" aria-pressed={isPicked} className={isPicked ? 'bg-sunken' : ''}>
          <CalendarRange aria-hidden className="size-4 text-ink-3" />
          {isPicked && report !== undefined ? describeDays(report.current, report.timeZone) : 'Custom…'}
        </Button>
      </PopoverTrigger>
      <PopoverContent align="start" className="w-72" aria-label="Choose dates">
        <DatesForm choice={choice} report={report} onDone={() => setIsOpen(false)} />
      </PopoverContent>
    </Popover>
  );
}

function DatesForm({ choice, report, onDone }: DatesPopoverProps & { onDone: () => void }) {
  const setSearch = useSetSearch();
  const today = getDay(new Date(useNow(CLOCK_MS)));
  const shown = choice.span.kind === 'dates' ? choice.span : getDays(report);
  const [from, setFrom] = useState(shown?.from ?? today);
  const [to, setTo] = useState(shown?.to ?? today);
  const error =
    from === '' || to === ''
      ? 'Enter both dates.'
      : to < from
        ? 'The end date is before the start date.'
        : null;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (error !== null) return;
    setSearch({ period: undefined, step: undefined, from, to });
    onDone();
  };
  return (
    <form onSubmit={submit} className="grid gap-3">
      <Field label="From">
        {(control) => (
          <Input
            {...control}
            type="date"
            max={today}
            value={from}
            onChange={(event) => setFrom(event.target.value)}
          />
        )}
      </Field>
      <Field label="To" error={error ?? undefined}>
        {(control) => (
          <Input
            {...control}
            type="date"
            max={today}
            value={to}
            onChange={(event) => setTo(event.target.value)}
          />
        )}
      </Field>
      <Button type="submit" variant="primary">
        Show period
      </Button>
    </form>
  );
}

/** Date range of a report. */
function getDays(report: UsageReport | undefined): { from: string; to: string } | null {
  if (report === undefined) return null;
  const last = new Date(Date.parse(report.current.to) - 1);
  return { from: getDay(new Date(report.current.from)), to: getDay(last) };
}

/** `2026-11-20` in the visitor's time zone. */
function getDay(date: Date): string {
  // Swedish dates are written as ISO 8601 has them.
  return new Intl.DateTimeFormat('sv-SE', { timeZone: visitorTimeZone(), dateStyle: 'short' }).format(date);
}
