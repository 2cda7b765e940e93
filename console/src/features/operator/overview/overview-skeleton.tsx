import { Card } from '../../../components/ui/card.tsx';
import { Skeleton } from '../../../components/ui/skeleton.tsx';
import { Stat, StatGrid } from '../../../components/ui/stat.tsx';

const ROWS = [
  ['Revenue', 'Provider cost', 'Margin', 'Requests in progress'],
  ['Requests', 'Error rate', 'Time to first token (p50 / p95)', 'Total latency (p50 / p95)'],
] as const;

export function OverviewSkeleton() {
  return (
    <>
      {ROWS.map((labels) => (
        <StatGrid key={labels[0]}>
          {labels.map((label) => (
            <Stat key={label} label={label}>
              <Skeleton className="h-6 w-24" />
            </Stat>
          ))}
        </StatGrid>
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
