import { Skeleton } from './skeleton.tsx';
import { Stat, StatGrid } from './stat.tsx';

/** Figures that are loading. */
export function StatGridSkeleton({ labels }: { labels: readonly string[] }) {
  return (
    <StatGrid>
      {labels.map((label) => (
        <Stat key={label} label={label}>
          <Skeleton className="h-6 w-24" />
        </Stat>
      ))}
    </StatGrid>
  );
}
