import { Card } from '../../components/ui/card.tsx';
import { Skeleton } from '../../components/ui/skeleton.tsx';
import { Stat, StatGrid } from '../../components/ui/stat.tsx';

export function UsageSkeleton() {
  return (
    <>
      <StatGrid>
        {['Spend', 'Requests', 'Tokens', 'Error rate'].map((label) => (
          <Stat key={label} label={label}>
            <Skeleton className="h-6 w-24" />
          </Stat>
        ))}
      </StatGrid>
      <Card className="p-4">
        <Skeleton className="h-[340px]" />
      </Card>
    </>
  );
}
