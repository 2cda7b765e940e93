import { X } from 'lucide-react';
import { Button } from '../../components/ui/button.tsx';
import { Segmented } from '../../components/ui/segmented.tsx';
import { describeLastDays } from '../../lib/format/last-days.ts';
import type { UsageReport } from '../../lib/trpc.ts';
import type { UsageChoice } from './choice.ts';
import { DatesPopover } from './dates-popover.tsx';
import { RANGES, type Grouping, type RangeName, type Step } from './search.ts';
import { useSetSearch } from './use-set-search.ts';

const RANGE_LABELS: Record<RangeName, string> = {
  today: 'Today',
  '7d': '7 d',
  '30d': '30 d',
  '90d': '90 d',
  '12m': '12 mo',
};
const RANGE_DAYS = { today: 1, '7d': 7, '30d': 30, '90d': 90 } as const;
const STEP_LABELS: Record<Step, string> = { hour: 'Hour', day: 'Day', month: 'Month' };
const GROUP_LABELS: Record<Grouping, string> = { model: 'Model', key: 'Key', tag: 'Tag', status: 'Status' };

interface UsageFiltersProps {
  choice: UsageChoice;
  /** undefined: not there yet. */
  report: UsageReport | undefined;
}

/** Period, interval and grouping filters. */
export function UsageFilters({ choice, report }: UsageFiltersProps) {
  const setSearch = useSetSearch();
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Segmented<RangeName | 'dates'>
        label="Period"
        value={choice.range ?? 'dates'}
        onValueChange={(range) => {
          if (range !== 'dates')
            setSearch({ period: range === '30d' ? undefined : range, from: undefined, to: undefined });
        }}
        options={RANGES.map((value) => ({
          value,
          label: RANGE_LABELS[value],
          ...(value !== '12m' && { hint: describeLastDays(RANGE_DAYS[value]) }),
        }))}
      />
      <DatesPopover choice={choice} report={report} />
      {choice.steps.length > 1 && (
        <Segmented
          label="Interval"
          value={choice.step}
          onValueChange={(step) => setSearch({ step })}
          options={choice.steps.map((value) => ({ value, label: STEP_LABELS[value] }))}
        />
      )}
      <Segmented
        label="Group by"
        value={choice.group}
        onValueChange={(group) => setSearch({ group: group === 'model' ? undefined : group })}
        options={(['model', 'key', 'tag', 'status'] as const).map((value) => ({
          value,
          label: GROUP_LABELS[value],
        }))}
      />
      <FilterChips choice={choice} report={report} />
    </div>
  );
}

/** The active key, model and tag filters, each with a button that removes it. */
function FilterChips({ choice, report }: UsageFiltersProps) {
  const setSearch = useSetSearch();
  const { keyId, model, tag } = choice;
  const name = report?.keyName ?? keyId;
  return (
    <>
      {keyId !== undefined && (
        <FilterChip text={`Key: ${name ?? ''}`} onRemove={() => setSearch({ key: undefined })} />
      )}
      {model !== undefined && (
        <FilterChip text={`Model: ${model}`} onRemove={() => setSearch({ model: undefined })} />
      )}
      {tag !== undefined && (
        <FilterChip
          text={tag === '' ? 'Keys without tags' : `Tag: ${tag}`}
          onRemove={() => setSearch({ tag: undefined })}
        />
      )}
    </>
  );
}

function FilterChip({ text, onRemove }: { text: string; onRemove: () => void }) {
  return (
    <Button size="sm" onClick={onRemove} className="max-w-full" aria-label={`${text}: show all`}>
      <span className="max-w-56 truncate">{text}</span>
      <X aria-hidden className="size-3.5 shrink-0 text-ink-3" />
    </Button>
  );
}
