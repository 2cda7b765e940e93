import { useId } from 'react';
import { Card } from '../../components/ui/card.tsx';
import { Checkbox } from '../../components/ui/checkbox.tsx';
import { Segmented } from '../../components/ui/segmented.tsx';
import type { UsageReport } from '../../lib/trpc.ts';
import type { UsageChoice } from './choice.ts';
import { ReportChartLater } from './report-chart-later.tsx';
import { METRICS, type Metric } from './search.ts';
import { useSetSearch } from './use-set-search.ts';

const METRIC_LABELS: Record<Metric, string> = {
  spend: 'Spend',
  requests: 'Requests',
  tokens: 'Tokens',
  latency: 'Total latency',
  'first-token': 'Time to first token',
};

/** The report as a chart or table. */
export function ReportCard({ report, choice }: { report: UsageReport; choice: UsageChoice }) {
  const headingId = useId();
  const isTime = choice.metric === 'latency' || choice.metric === 'first-token';
  const title = isTime ? METRIC_LABELS[choice.metric] : `${METRIC_LABELS[choice.metric]} by ${choice.group}`;
  return (
    <Card className="@container min-w-0">
      <section aria-labelledby={headingId}>
        <div className="flex flex-wrap items-center gap-2 px-4 pt-3 pb-1">
          <h2 id={headingId} className="mr-auto font-medium">
            {title}
          </h2>
          <ReportSwitches choice={choice} isTime={isTime} />
        </div>
        <ReportChartLater report={report} choice={choice} title={title} />
      </section>
    </Card>
  );
}

function ReportSwitches({ choice, isTime }: { choice: UsageChoice; isTime: boolean }) {
  const setSearch = useSetSearch();
  return (
    <>
      {choice.group !== 'status' && (
        <Segmented
          label="Metric"
          value={choice.metric}
          onValueChange={(metric) => setSearch({ metric: metric === 'spend' ? undefined : metric })}
          options={METRICS.map((value) => ({ value, label: METRIC_LABELS[value] }))}
        />
      )}
      <Segmented<'chart' | 'table'>
        label="Show as"
        value={choice.isTable ? 'table' : 'chart'}
        onValueChange={(view) => setSearch({ view: view === 'table' ? view : undefined })}
        options={[
          { value: 'chart', label: 'Chart' },
          { value: 'table', label: 'Table' },
        ]}
      />
      {!isTime && choice.group !== 'tag' && (
        <Checkbox
          label="Compare"
          checked={choice.isCompared}
          onCheckedChange={(isCompared) => setSearch({ compare: isCompared ? 'on' : undefined })}
        />
      )}
    </>
  );
}
