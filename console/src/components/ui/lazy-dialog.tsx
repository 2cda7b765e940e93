import { lazy, Suspense, type ComponentType } from 'react';

/** A dialog whose code is fetched when it is first opened: the page does not wait for it. */
export function lazyDialog<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  const Dialog = lazy(async () => ({ default: await load() }));
  return function LazyDialog(props: Props) {
    return (
      <Suspense>
        <Dialog {...props} />
      </Suspense>
    );
  };
}
