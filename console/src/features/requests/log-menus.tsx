import { Bookmark, Columns3 } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { Button } from '../../components/ui/button.tsx';
import type { LogMenusProps } from './loaded-menus.tsx';

const LoadedMenus = lazy(async () => ({ default: (await import('./loaded-menus.tsx')).LoadedMenus }));

/** The menus of the log. They are loaded when one is opened first, or to name the view that is shown. */
export function LogMenus(props: LogMenusProps) {
  const [opened, setOpened] = useState(props.search.view === undefined ? null : 'none');
  const buttons = (
    <>
      <Button aria-haspopup="menu" onClick={() => setOpened('views')}>
        <Bookmark aria-hidden className="size-[15px] shrink-0" />
        Views
      </Button>
      <Button aria-haspopup="menu" onClick={() => setOpened('columns')}>
        <Columns3 aria-hidden className="size-[15px]" />
        Columns
      </Button>
    </>
  );
  if (opened === null) return buttons;
  return (
    <Suspense fallback={buttons}>
      <LoadedMenus {...props} opened={opened} />
    </Suspense>
  );
}
