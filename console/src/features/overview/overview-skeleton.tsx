import { Card } from '../../components/ui/card.tsx';
import { Skeleton } from '../../components/ui/skeleton.tsx';
import { StatGridSkeleton } from '../../components/ui/stat-grid-skeleton.tsx';

const ROWS = [
  ['Balance', 'Spend today', 'Spend in 7 days', 'Spend in 30 days'],
  ['Requests', 'Error rate', 'Time to first token (p50 / p95)', 'Total latency (p50 / p95)'],
] as const;

export function OverviewSkeleton() {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3.5">
      {ROWS.map((labels) => (
        <StatGridSkeleton key={labels[0]} labels={labels} />
      ))}
      <div className="grid gap-3.5 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <Card className="p-4">
          <Skeleton className="h-[340px]" />
        </Card>
        <Card className="p-4">
          <Skeleton className="h-[340px]" />
        </Card>
      </div>
    </div>
  );
}
