import { Skeleton } from '../../../components/ui/skeleton.tsx';

/** Placeholder of the page while it loads. */
export function KeyPageSkeleton() {
  return (
    <div>
      <output className="sr-only">Loading key</output>
      <div aria-hidden>
        <Skeleton className="mb-2 h-7 w-48" />
        <Skeleton className="mb-5 h-5 w-32" />
        <div className="grid grid-cols-2 gap-3.5 lg:grid-cols-4">
          {Array.from({ length: 4 }, (_, index) => (
            <Skeleton key={index} className="h-[98px]" />
          ))}
        </div>
        <div className="mt-3.5 grid gap-3.5 xl:grid-cols-[minmax(0,1fr)_320px]">
          <Skeleton className="h-96" />
          <Skeleton className="h-96" />
        </div>
      </div>
    </div>
  );
}
