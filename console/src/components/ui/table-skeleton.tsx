import { Skeleton } from './skeleton.tsx';

const ROWS = 5;

/** The shape of a list while it loads. */
export function TableSkeleton() {
  return (
    <div>
      <output className="sr-only">Loading</output>
      <div aria-hidden className="divide-y">
        {Array.from({ length: ROWS }, (_, index) => (
          <div key={index} className="flex items-start gap-6 px-3.5 py-[11px]">
            <Skeleton className="mt-[3px] hidden h-3.5 w-28 @xl:block" />
            <div className="grid flex-1 gap-2">
              <Skeleton className="mt-[3px] h-3.5 w-24" />
              <Skeleton className="h-3 w-40 max-w-full" />
            </div>
            <Skeleton className="mt-[3px] h-3.5 w-20" />
          </div>
        ))}
      </div>
    </div>
  );
}
