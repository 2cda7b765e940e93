import { Skeleton } from '../../components/ui/skeleton.tsx';

export function ModelsSkeleton() {
  return (
    <div aria-busy className="divide-y">
      <span className="sr-only">Loading models</span>
      {['w-40', 'w-52', 'w-36', 'w-44', 'w-48'].map((width) => (
        <div key={width} className="flex h-[62px] items-center gap-6 px-3.5">
          <Skeleton className={`h-4 ${width}`} />
          <Skeleton className="ml-auto h-4 w-16" />
          <Skeleton className="h-4 w-16" />
        </div>
      ))}
    </div>
  );
}
