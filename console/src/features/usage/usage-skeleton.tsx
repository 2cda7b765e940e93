import { Card } from '../../components/ui/card.tsx';
import { Skeleton } from '../../components/ui/skeleton.tsx';
import { StatGridSkeleton } from '../../components/ui/stat-grid-skeleton.tsx';

export function UsageSkeleton() {
  return (
    <>
      <StatGridSkeleton labels={['Spend', 'Requests', 'Tokens', 'Error rate']} />
      <Card className="p-4">
        <Skeleton className="h-[340px]" />
      </Card>
    </>
  );
}
