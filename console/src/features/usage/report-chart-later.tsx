import { lazy, Suspense } from 'react';
import { Skeleton } from '../../components/ui/skeleton.tsx';
import type { ReportChartProps } from './report-chart.tsx';

const ReportChart = lazy(async () => ({ default: (await import('./report-chart.tsx')).ReportChart }));

/** Loads the chart and its library on demand. */
export function ReportChartLater(props: ReportChartProps) {
  return (
    <Suspense fallback={<Skeleton className="mx-4 mt-3 mb-4 h-[300px]" />}>
      <ReportChart {...props} />
    </Suspense>
  );
}
