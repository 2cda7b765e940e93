import { Card } from '../../components/ui/card.tsx';
import { Skeleton } from '../../components/ui/skeleton.tsx';
import { TableSkeleton } from '../../components/ui/table-skeleton.tsx';

/** Skeleton of the page. */
export function BillingSkeleton() {
  return (
    <>
      <div className="grid gap-4 lg:grid-cols-2">
        {['balance', 'plan'].map((name) => (
          <Card key={name} className="min-h-[262px] p-5 max-sm:p-4">
            <Skeleton className="my-[3px] h-3.5 w-16" />
            <Skeleton className="mt-2 h-6 w-32" />
            <Skeleton className="mt-16 h-3.5 w-full" />
            <Skeleton className="mt-6 h-3.5 w-full" />
            <Skeleton className="mt-6 h-3.5 w-full" />
          </Card>
        ))}
      </div>
      <Card className="@container">
        <TableSkeleton />
      </Card>
    </>
  );
}
