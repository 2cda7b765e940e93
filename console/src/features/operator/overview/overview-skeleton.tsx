import { Card } from '../../../components/ui/card.tsx';
import { Skeleton } from '../../../components/ui/skeleton.tsx';
import { StatGridSkeleton } from '../../../components/ui/stat-grid-skeleton.tsx';

const ROWS = [
  ['Revenue', 'Provider cost', 'Margin', 'Requests in progress'],
  ['Requests', 'Error rate', 'Time to first token (p50 / p95)', 'Total latency (p50 / p95)'],
] as const;

export function OverviewSkeleton() {
  return (
    <>
      {ROWS.map((labels) => (
        <StatGridSkeleton key={labels[0]} labels={labels} />
      ))}
      <Card className="p-4">
        <Skeleton className="h-[260px]" />
      </Card>
      <Card className="p-4">
        <Skeleton className="h-[200px]" />
      </Card>
    </>
  );
}
